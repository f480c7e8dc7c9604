package solvers

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/clopt/clopt/problems"
)

// SettingError is a wrong setting of a method: an unknown name or key, or a
// value out of range.
type SettingError struct{ Msg string }

func (e *SettingError) Error() string { return e.Msg }

func settingf(format string, args ...any) error {
	return &SettingError{fmt.Sprintf(format, args...)}
}

// setting is one key of a method, which parses into its field and prints it.
type setting struct {
	key, doc string
	set      func(string) error
	get      func() string
}

// configured is a method whose settings can be listed.
type configured interface {
	Solver
	settings() []setting
	about() string
	validate() error
}

var methods = map[string]func() configured{
	"random":   func() configured { return &Random{} },
	"masw":     func() configured { return &MASW{} },
	"graybox":  func() configured { return &Graybox{} },
	"masw-seq": func() configured { return &Graybox{Parts: 1} },
	"gomea":    func() configured { return &GOMEA{} },

	"annealgraph": func() configured { return &AnnealGraph{} },
	"sa":          func() configured { return &SA{} },
	"cgrasp":      func() configured { return &CGRASP{} },
}

// partSettings were settings of masw while it accepted parts of points as well.
var partSettings = []string{"acceptance", "scheme", "grain", "states", "search", "offspring"}

// Names lists the methods that New knows.
func Names() []string { return slices.Sorted(maps.Keys(methods)) }

// New makes a method by name with settings by key; nil means all defaults. It
// reports all complaints at once, as a *SettingError.
func New(name string, set map[string]string) (Solver, error) {
	f, ok := methods[strings.ToLower(name)]
	if !ok {
		return nil, settingf("unknown solver %q; there are %s", name, strings.Join(Names(), ", "))
	}
	m := f()
	known := m.settings()
	var errs []string
	for _, k := range slices.Sorted(maps.Keys(set)) {
		i := slices.IndexFunc(known, func(s setting) bool { return strings.EqualFold(s.key, k) })
		if i < 0 && m.Name() == "masw" && slices.Contains(partSettings, strings.ToLower(k)) {
			errs = append(errs, fmt.Sprintf("solver masw has no setting %q: it accepts whole points; parts of points are accepted by --solver graybox", k))
			continue
		}
		if i < 0 {
			var keys []string
			for _, s := range known {
				keys = append(keys, s.key)
			}
			errs = append(errs, fmt.Sprintf("solver %s has no setting %q; it has %s", m.Name(), k, strings.Join(keys, ", ")))
			continue
		}
		if err := known[i].set(set[k]); err != nil {
			errs = append(errs, fmt.Sprintf("setting %s=%s: %v", k, set[k], err))
		}
	}
	if len(errs) == 0 {
		if err := m.validate(); err != nil {
			errs = append(errs, err.Error())
		}
	}
	if errs != nil {
		return nil, &SettingError{strings.Join(errs, "\n")}
	}
	return m, nil
}

// Describe says what a method is, what its settings mean and their defaults.
func Describe(name string) (string, error) {
	f, ok := methods[strings.ToLower(name)]
	if !ok {
		return "", settingf("unknown solver %q; there are %s", name, strings.Join(Names(), ", "))
	}
	m := f()
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s\n\nsettings (--set key=value):\n", m.Name(), m.about())
	for _, s := range m.settings() {
		fmt.Fprintf(&b, "  %-12s %s (default %s)\n", s.key, s.doc, s.get())
	}
	return b.String(), nil
}

// spell writes settings as New reads them back.
func spell(m configured, but ...string) string {
	var parts []string
	for _, s := range m.settings() {
		if !slices.Contains(but, s.key) {
			parts = append(parts, s.key+"="+s.get())
		}
	}
	return strings.Join(parts, ",")
}

// intSetting is a whole number from lo to hi; the field's zero means the
// default that get prints.
func intSetting(key, doc string, field *int, lo, hi int, get func() string) setting {
	return setting{key, doc, func(v string) error {
		if v == "auto" {
			*field = 0
			return nil
		}
		n, err := problems.ParseCount(v)
		if err != nil {
			return err
		}
		if n < int64(lo) || n > int64(hi) {
			return fmt.Errorf("%d is outside %d to %d", n, lo, hi)
		}
		*field = int(n)
		return nil
	}, get}
}

// realSetting is a number from lo to hi; the field is a pointer because zero
// means zero.
func realSetting(key, doc string, field **float64, lo, hi float64, get func() float64) setting {
	return setting{key, doc, func(v string) error {
		x, err := strconv.ParseFloat(v, 64)
		if err != nil {
			return errors.New("not a number")
		}
		if !(x >= lo && x <= hi) {
			return fmt.Errorf("%g is outside %g to %g", x, lo, hi)
		}
		*field = &x
		return nil
	}, func() string { return strconv.FormatFloat(get(), 'g', -1, 64) }}
}

// wordSetting is one of some words; the first is the default, which "" means.
func wordSetting(key, doc string, field *string, words ...string) setting {
	return setting{key, doc, func(v string) error {
		if !slices.Contains(words, v) {
			return fmt.Errorf("unknown; use %s", strings.Join(words, " or "))
		}
		*field = v
		return nil
	}, func() string {
		if *field == "" {
			return words[0]
		}
		return *field
	}}
}

func orAuto(n int) func() string {
	return func() string {
		if n == 0 {
			return "auto"
		}
		return strconv.Itoa(n)
	}
}
