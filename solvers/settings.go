package solvers

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/clopt/clopt/problems/input"
)

// AutoReal is a number, or auto.
func AutoReal(key, doc string, field **float64, lo, hi float64) Setting {
	number := RealSetting(key, doc, field, lo, hi, func() float64 { return **field })
	return Setting{key, doc, func(v string) error {
		if v == "auto" {
			*field = nil
			return nil
		}
		return number.Set(v)
	}, func() string {
		if *field == nil {
			return "auto"
		}
		return number.Get()
	}}
}

// Choice is one of some words; the field's zero means the first.
func Choice(key, doc string, field *string, words ...string) Setting {
	return Setting{key, doc, func(v string) error {
		v = strings.ToLower(v)
		if !slices.Contains(words, v) {
			return fmt.Errorf("unknown; use %s", strings.Join(words, ", "))
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

// SettingError is a wrong setting of a method: an unknown name or key, or a
// value out of range.
type SettingError struct{ Msg string }

func (e *SettingError) Error() string { return e.Msg }

func Settingf(format string, args ...any) error {
	return &SettingError{fmt.Sprintf(format, args...)}
}

// Setting is one key of a method, which parses into its field and prints it.
type Setting struct {
	Key, Doc string
	Set      func(string) error
	Get      func() string
}

// Configured is a method whose settings can be listed.
type Configured interface {
	Solver
	Settings() []Setting
	About() string
	Validate() error
}

// partSettings were settings of masw while it accepted parts of points as well.
var partSettings = []string{"acceptance", "scheme", "grain", "states", "search", "offspring"}

// Configure gives m settings by key and returns it. It reports all complaints at once, as a *SettingError.
func Configure(m Configured, set map[string]string) (Solver, error) {
	known := m.Settings()
	var errs []string
	for _, k := range slices.Sorted(maps.Keys(set)) {
		i := slices.IndexFunc(known, func(s Setting) bool { return strings.EqualFold(s.Key, k) })
		if i < 0 && m.Name() == "masw" && slices.Contains(partSettings, strings.ToLower(k)) {
			errs = append(errs, fmt.Sprintf("solver masw has no setting %q: it accepts whole points; parts of points are accepted by --solver graybox", k))
			continue
		}
		if i < 0 {
			var keys []string
			for _, s := range known {
				keys = append(keys, s.Key)
			}
			errs = append(errs, fmt.Sprintf("solver %s has no setting %q; it has %s", m.Name(), k, strings.Join(keys, ", ")))
			continue
		}
		if err := known[i].Set(set[k]); err != nil {
			errs = append(errs, fmt.Sprintf("setting %s=%s: %v", k, set[k], err))
		}
	}
	if len(errs) == 0 {
		if err := m.Validate(); err != nil {
			errs = append(errs, err.Error())
		}
	}
	if errs != nil {
		return nil, &SettingError{strings.Join(errs, "\n")}
	}
	return m, nil
}

// Spell writes settings as New reads them back.
func Spell(m Configured, but ...string) string {
	var parts []string
	for _, s := range m.Settings() {
		if !slices.Contains(but, s.Key) {
			parts = append(parts, s.Key+"="+s.Get())
		}
	}
	return strings.Join(parts, ",")
}

// IntSetting is a whole number from lo to hi; the field's zero means the
// default that get prints.
func IntSetting(key, doc string, field *int, lo, hi int, get func() string) Setting {
	return Setting{key, doc, func(v string) error {
		if v == "auto" {
			*field = 0
			return nil
		}
		n, err := input.ParseCount(v)
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

// RealSetting is a number from lo to hi; the field is a pointer because zero
// means zero.
func RealSetting(key, doc string, field **float64, lo, hi float64, get func() float64) Setting {
	return Setting{key, doc, func(v string) error {
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

// WordSetting is one of some words; the first is the default, which "" means.
func WordSetting(key, doc string, field *string, words ...string) Setting {
	return Setting{key, doc, func(v string) error {
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

func OrAuto(n int) func() string {
	return func() string {
		if n == 0 {
			return "auto"
		}
		return strconv.Itoa(n)
	}
}

// ChoiceSetting is one of several words; the field's "" means the default.
func ChoiceSetting(key, doc string, field *string, usual string, choices ...string) Setting {
	return Setting{key, doc, func(v string) error {
		v = strings.ToLower(v)
		if !slices.Contains(choices, v) {
			return fmt.Errorf("there are %s", strings.Join(choices, ", "))
		}
		*field = v
		return nil
	}, func() string {
		if *field == "" {
			return usual
		}
		return *field
	}}
}

// SwitchSetting is true or false.
func SwitchSetting(key, doc string, field *bool) Setting {
	return Setting{key, doc, func(v string) error {
		yes, err := strconv.ParseBool(v)
		if err != nil {
			return fmt.Errorf("use true or false")
		}
		*field = yes
		return nil
	}, func() string { return strconv.FormatBool(*field) }}
}

func OrReal(v *float64, usual float64) float64 {
	if v != nil {
		return *v
	}
	return usual
}

func OrInt(v, usual int) int {
	if v > 0 {
		return v
	}
	return usual
}

func OrWord(v, usual string) string {
	if v != "" {
		return v
	}
	return usual
}
