package solvers

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/clopt/clopt/problems/input"
)

// Setting is one key of a method. It stands for one field of the method's struct: it reads the field from text, prints
// it, and checks a value that a literal gave it. Word, Int, Real and Switch make one from a single declaration.
type Setting struct {
	// Key is the name that a person types; case does not matter.
	Key string
	// Doc says what the setting means, its unit, and how auto is chosen. It is part of a sentence.
	Doc string
	// Set gives the field the value in text. After an error the field is as it was.
	Set func(text string) error
	// Get is the field's value as Set reads it. Where the field is zero, it is the default.
	Get func() string
	// Check says what is wrong with the field's value; nil: nothing.
	Check func() error
}

// auto is the text of a number that the method chooses by itself.
const auto = "auto"

// Word is a setting that is one of some words. The field's zero, "", means the first of them. A word may be listed
// twice, so that a default that depends on other settings can be written before the full list.
func Word(key, doc string, field *string, words ...string) Setting {
	check := func(word string) error {
		if slices.Contains(words, word) {
			return nil
		}
		var each []string
		for _, w := range words {
			if !slices.Contains(each, w) {
				each = append(each, w)
			}
		}
		return fmt.Errorf("unknown word %q; use %s", word, strings.Join(each, ", "))
	}
	return Setting{
		Key: key, Doc: doc,
		Set: func(text string) error {
			word := strings.ToLower(text)
			if err := check(word); err != nil {
				return err
			}
			*field = word
			return nil
		},
		Get: func() string { return cmp.Or(*field, words[0]) },
		Check: func() error {
			if *field == "" {
				return nil
			}
			return check(*field)
		},
	}
}

// Int is a setting that is a whole number from lo to hi. The field's zero means the default, which is usual; where
// usual is 0 as well, it is printed as auto. Where lo is 0, zero is a number like the others. The text "auto" sets
// zero.
func Int(key, doc string, field *int, lo, hi, usual int) Setting {
	return Setting{
		Key: key, Doc: doc,
		Set: func(text string) error {
			if strings.EqualFold(text, auto) {
				*field = 0
				return nil
			}
			n, err := input.ParseCount(text)
			if err == nil {
				err = within(n, int64(lo), int64(hi))
			}
			if err == nil {
				*field = int(n)
			}
			return err
		},
		Get: func() string {
			n := cmp.Or(*field, usual)
			if n == 0 && lo > 0 {
				return auto
			}
			return strconv.Itoa(n)
		},
		Check: func() error {
			if *field == 0 {
				return nil
			}
			return within(*field, lo, hi)
		},
	}
}

// Real is a setting that is a number from lo to hi. The field is a pointer because zero means zero: nil means the
// default, which is usual; where usual is nil as well, it is printed as auto. The text "auto" sets nil. NaN is refused.
func Real(key, doc string, field **float64, lo, hi float64, usual *float64) Setting {
	return Setting{
		Key: key, Doc: doc,
		Set: func(text string) error {
			if strings.EqualFold(text, auto) {
				*field = nil
				return nil
			}
			x, err := strconv.ParseFloat(text, 64)
			if err != nil {
				return errors.New("not a number")
			}
			if err := within(x, lo, hi); err != nil {
				return err
			}
			*field = &x
			return nil
		},
		Get: func() string {
			x := *field
			if x == nil {
				x = usual
			}
			if x == nil {
				return auto
			}
			return strconv.FormatFloat(*x, 'g', -1, 64)
		},
		Check: func() error {
			if *field == nil {
				return nil
			}
			return within(**field, lo, hi)
		},
	}
}

// Switch is a setting that is true or false; the default is false.
func Switch(key, doc string, field *bool) Setting {
	return Setting{
		Key: key, Doc: doc,
		Set: func(text string) error {
			yes, err := strconv.ParseBool(text)
			if err != nil {
				return errors.New("use true or false")
			}
			*field = yes
			return nil
		},
		Get:   func() string { return strconv.FormatBool(*field) },
		Check: func() error { return nil },
	}
}

// within refuses a number outside lo to hi, NaN among them.
func within[T int | int64 | float64](v, lo, hi T) error {
	if v >= lo && v <= hi {
		return nil
	}
	return fmt.Errorf("%v is outside %v to %v", v, lo, hi)
}

// OrReal is *v, or usual where v is nil.
func OrReal(v *float64, usual float64) float64 {
	if v != nil {
		return *v
	}
	return usual
}

// SettingError is a wrong setting of a method: an unknown name or key, or a value out of range. Several complaints are
// a line each.
type SettingError struct{ Msg string }

func (e *SettingError) Error() string { return e.Msg }

// Settingf is a *SettingError from a format.
func Settingf(format string, args ...any) error {
	return &SettingError{fmt.Sprintf(format, args...)}
}

// Complaints collects what is wrong with settings. The zero value is ready to use.
type Complaints struct{ lines []string }

// Addf adds one complaint.
func (c *Complaints) Addf(format string, args ...any) {
	c.lines = append(c.lines, fmt.Sprintf(format, args...))
}

// Err is all complaints as one *SettingError, or nil if there are none.
func (c *Complaints) Err() error {
	if len(c.lines) == 0 {
		return nil
	}
	return &SettingError{strings.Join(c.lines, "\n")}
}

// CheckSettings checks each setting of m by itself, as a text of its value would be checked. A method's Validate begins
// with it. The error is a *SettingError with all complaints.
func CheckSettings(m Solver) error {
	var c Complaints
	for _, s := range m.Settings() {
		if err := s.Check(); err != nil {
			c.Addf("setting %s: %v", s.Key, err)
		}
	}
	return c.Err()
}

// partSettings were settings of masw while it accepted parts of points as well.
var partSettings = []string{"acceptance", "scheme", "grain", "states", "search", "offspring"}

// Configure gives m settings by key and returns it. It reports all complaints at once, as a *SettingError.
func Configure(m Solver, set map[string]string) (Solver, error) {
	known := m.Settings()
	var c Complaints
	for _, k := range slices.Sorted(maps.Keys(set)) {
		i := slices.IndexFunc(known, func(s Setting) bool { return strings.EqualFold(s.Key, k) })
		if i < 0 && m.Name() == "masw" && slices.Contains(partSettings, strings.ToLower(k)) {
			c.Addf("solver masw has no setting %q: it accepts whole points; parts of points are accepted by --solver graybox", k)
			continue
		}
		if i < 0 {
			var keys []string
			for _, s := range known {
				keys = append(keys, s.Key)
			}
			c.Addf("solver %s has no setting %q; it has %s", m.Name(), k, strings.Join(keys, ", "))
			continue
		}
		if err := known[i].Set(set[k]); err != nil {
			c.Addf("setting %s=%s: %v", k, set[k], err)
		}
	}
	if err := c.Err(); err != nil {
		return nil, err
	}
	if err := m.Validate(); err != nil {
		return nil, err
	}
	return m, nil
}

// Spell is all settings of m but those with the given keys, as "key=value,…", which Configure reads back.
func Spell(m Solver, but ...string) string {
	var parts []string
	for _, s := range m.Settings() {
		if !slices.Contains(but, s.Key) {
			parts = append(parts, s.Key+"="+s.Get())
		}
	}
	return strings.Join(parts, ",")
}
