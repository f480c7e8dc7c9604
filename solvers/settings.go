package solvers

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/clopt/clopt/internal/problems/input"
)

// Setting is one key of a method. It stands for one field of the method's struct: it parses and prints the
// field, and it checks values that were set in Go. Word, Int, Real and Switch each make a Setting from one
// declaration.
type Setting struct {
	// Key is the name on the command line. Case does not matter.
	Key string
	// Doc describes the setting, its unit, and how auto is chosen. It is a phrase, not a full sentence.
	Doc string
	// Words are the texts that Set takes; nil if it takes numbers.
	Words []string
	// Set parses text and stores the value in the field. If it fails, it does not change the field.
	Set func(text string) error
	// Get returns the field's value in the form that Set parses. For a zero field it returns the default.
	Get func() string
	// Check returns an error if the field's value is invalid.
	Check func() error
}

// auto is the text of a number that the method chooses.
const auto = "auto"

// Word is a setting that takes one of the given words. The zero value "" means the first word. A word may
// be listed twice, so that a default that depends on other settings can be written before the full list.
func Word(key, doc string, field *string, words ...string) Setting {
	var each []string
	for _, w := range words {
		if !slices.Contains(each, w) {
			each = append(each, w)
		}
	}
	check := func(word string) error {
		if slices.Contains(each, word) {
			return nil
		}
		return fmt.Errorf("unknown word %q; use %s", word, strings.Join(each, ", "))
	}
	return Setting{
		Key: key, Doc: doc, Words: each,
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

// Int is a setting that takes a whole number from lo to hi. A field of zero means the default, usual. If
// usual is 0 too, the field is printed as auto. If lo is 0, zero is an ordinary value. The text "auto" sets
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

// Real is a setting that takes a number from lo to hi. The field is a pointer, so that zero is an ordinary
// value. A nil field means the default, usual. If usual is nil too, the field is printed as auto. The text
// "auto" sets nil. NaN is refused.
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

// Switch is a setting that is true or false. The default is false.
func Switch(key, doc string, field *bool) Setting {
	return Setting{
		Key: key, Doc: doc, Words: []string{"true", "false"},
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

// within refuses a number outside lo to hi, and NaN.
func within[T int | int64 | float64](v, lo, hi T) error {
	if v >= lo && v <= hi {
		return nil
	}
	return fmt.Errorf("%v is outside %v to %v", v, lo, hi)
}

// OrReal returns *v, or usual if v is nil.
func OrReal(v *float64, usual float64) float64 {
	if v != nil {
		return *v
	}
	return usual
}

// SettingError is an invalid setting of a method: an unknown name or key, or a value out of range. Msg has
// one line per complaint.
type SettingError struct {
	Msg   string
	Large bool // the problem is too large for the method; the setting is not wrong in itself
}

func (e *SettingError) Error() string { return e.Msg }

// Settingf returns a *SettingError with a formatted message.
func Settingf(format string, args ...any) error {
	return &SettingError{Msg: fmt.Sprintf(format, args...)}
}

// Complaints collects errors in settings. The zero value is ready to use.
type Complaints struct{ lines []string }

// Addf adds one complaint.
func (c *Complaints) Addf(format string, args ...any) {
	c.lines = append(c.lines, fmt.Sprintf(format, args...))
}

// Err returns all complaints as one *SettingError, or nil if there are none.
func (c *Complaints) Err() error {
	if len(c.lines) == 0 {
		return nil
	}
	return &SettingError{Msg: strings.Join(c.lines, "\n")}
}

// Validate checks the settings of m, whether they were given in Go or as text: each one on its own and, if these are
// valid, their combination (Traits.Check). The error is a *SettingError with all complaints. Minimize calls it first.
func Validate(m Solver) error {
	t := m.Traits()
	var c Complaints
	for _, s := range t.Settings {
		if err := s.Check(); err != nil {
			c.Addf("setting %s: %v", s.Key, err)
		}
	}
	if err := c.Err(); err != nil || t.Check == nil {
		return err
	}
	return t.Check()
}

// Configure applies settings, by key, to m and returns m. It reports all complaints at once, as a
// *SettingError.
func Configure(m Solver, set map[string]string) (Solver, error) {
	t := m.Traits()
	known := t.Settings
	var c Complaints
	for _, k := range slices.Sorted(maps.Keys(set)) {
		i := slices.IndexFunc(known, func(s Setting) bool { return strings.EqualFold(s.Key, k) })
		if i < 0 {
			c.Addf("method %s has no setting %q%s", t.Name, k, instead(t, k))
		} else if err := known[i].Set(set[k]); err != nil {
			c.Addf("setting %s=%s: %v", k, set[k], err)
		}
	}
	if err := c.Err(); err != nil {
		return nil, err
	}
	if err := Validate(m); err != nil {
		return nil, err
	}
	return m, nil
}

// instead completes the complaint about an unknown key: with advice of the method, or else with its settings.
func instead(t Traits, key string) string {
	if t.Advise != nil {
		if advice := t.Advise(key); advice != "" {
			return ": " + advice
		}
	}
	var keys []string
	for _, s := range t.Settings {
		keys = append(keys, s.Key)
	}
	if near := input.Nearest(key, keys); near != "" && input.Distance(key, near) <= max(2, len(key)/3) {
		return fmt.Sprintf("; did you mean %q? It has %s", near, strings.Join(keys, ", "))
	}
	return "; it has " + strings.Join(keys, ", ")
}

// Spell returns all settings of m except the given keys, as "key=value,…". Configure parses this form.
func Spell(m Solver, but ...string) string {
	var parts []string
	for _, s := range m.Traits().Settings {
		if !slices.Contains(but, s.Key) {
			parts = append(parts, s.Key+"="+s.Get())
		}
	}
	return strings.Join(parts, ",")
}
