package disk

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
)

// Sealed returns v as JSON. check is its field "check", which gets the SHA-256 of the text in which it is "".
func Sealed(v any, check *string) ([]byte, error) {
	*check = ""
	text, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(append(text, '\n'))
	*check = hex.EncodeToString(sum[:])
	text, err = json.MarshalIndent(v, "", "  ")
	return append(text, '\n'), err
}

// CheckSeal returns an error unless check is what Sealed wrote into the text.
func CheckSeal(text []byte, check string) error {
	field := func(value string) []byte { return fmt.Appendf(nil, "\"check\": %q", value) }
	sum := sha256.Sum256(bytes.Replace(text, field(check), field(""), 1))
	if check != hex.EncodeToString(sum[:]) {
		return errors.New("is damaged: it does not agree with its check")
	}
	return nil
}
