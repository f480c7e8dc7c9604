package input

import (
	"math"
	"os"
	"slices"
	"strings"
)

// OneDim returns the number of variables, given as n in a spec, beside it, or both;
// 0 means not given. Two different numbers are an *Error.
func OneDim(spec string, n, beside int) (int, error) {
	if n != 0 && beside != 0 && n != beside {
		return 0, Errorf("", 0, 0, "n is %d in %q and %d beside it; give it once", n, spec, beside)
	}
	return max(n, beside), nil
}

// ParseKeys reads "key=value,..." with keys from known. name is the problem, for
// errors, which are *Error.
func ParseKeys(name, text string, known []string) (map[string]string, error) {
	keys := map[string]string{}
	for part := range strings.SplitSeq(text, ",") {
		key, value, ok := strings.Cut(part, "=")
		key, value = strings.ToLower(strings.TrimSpace(key)), strings.TrimSpace(value)
		if !ok || value == "" {
			return nil, Errorf("", 0, 0, "%s: %q is not key=value; use for example %s:n=1000", name, part, name)
		}
		if !slices.Contains(known, key) {
			return nil, Errorf("", 0, 0, "%s: unknown key %q; the nearest known key is %s", name, key, Nearest(key, known))
		}
		if _, twice := keys[key]; twice {
			return nil, Errorf("", 0, 0, "%s: key %s is given twice; give it once", name, key)
		}
		keys[key] = value
	}
	return keys, nil
}

// ParseDim reads a number of variables, as ParseCount does: 1 to 2^32-1.
func ParseDim(text string) (int, error) {
	v, err := ParseCount(text)
	if err != nil {
		return 0, Errorf("", 0, 0, "n: %v", err)
	}
	if v < 1 || v > math.MaxUint32 {
		return 0, Errorf("", 0, 0, "n is %d; use 1 to %d", v, uint32(math.MaxUint32))
	}
	return int(v), nil
}

// IsRegular reports whether path is a regular file.
func IsRegular(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}
