package problems

import (
	"errors"

	"github.com/clopt/clopt/internal/clc/host"
)

// OnHost returns the components of p as the host evaluates its text, with the type real of a precision, by a method
// OnHost. This finds devices and drivers that are wrong, and no errors of the text itself: a Referenced has a reference
// that is independent of the text. The error says why there are none: p has no such method, or the text is beyond what
// the host reads.
func OnHost(p Problem, prec Precision) (*host.Reference, error) {
	if u, ok := p.(interface {
		OnHost(Precision) (*host.Reference, error)
	}); ok {
		return u.OnHost(prec)
	}
	return nil, errors.New("the host does not read its text")
}
