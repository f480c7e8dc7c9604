package cl

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"text/tabwriter"
)

// SelectionError says which term of a device selector is wrong and shows the
// devices there are. Term is empty where each term is fine and nothing is left.
type SelectionError struct{ Selector, Term, Reason, Table string }

func (e *SelectionError) Error() string {
	what := e.Reason
	if e.Term != "" {
		what = fmt.Sprintf("term %q: %s", e.Term, e.Reason)
	}
	return fmt.Sprintf("cl: device selector %q: %s. The devices are:\n%s", e.Selector, what, e.Table)
}

// maxRepeat bounds "0*3": more copies of one chip than this is a typing error.
const maxRepeat = 256

// Select picks devices by text: terms separated by commas are joined, terms after
// "!" are taken away, whatever their order.
//
//	all gpu cpu          by type
//	0  0-3               by index
//	nvidia amd intel     by vendor
//	pocl                 by platform
//	name:REGEX           by device name, ignoring case (a comma ends the term)
//	0*3                  opened three times: three equal elements
//	!2                   all but 2
//
// The empty selector takes all GPUs, each chip once; else the CPUs of one
// platform, PoCL first; else what there is. The result is in order of index. A
// term that is not understood, an index that does not exist and an empty result
// are *SelectionError.
func Select(infos []Info, selector string) ([]Info, error) {
	fail := func(term, reason string) error {
		return &SelectionError{selector, term, reason, Table(infos)}
	}
	if len(infos) == 0 {
		return nil, fail("", "there is no device")
	}
	if strings.TrimSpace(selector) == "" {
		return byDefault(infos), nil
	}
	take, drop := make([]int, len(infos)), make([]bool, len(infos))
	onlyMinus := true
	for term := range strings.SplitSeq(selector, ",") {
		term = strings.TrimSpace(term)
		body, minus := strings.CutPrefix(term, "!")
		body = strings.TrimSpace(body)
		match, times, reason := parseTerm(body, len(infos))
		if reason == "" && minus && times != 1 {
			reason = "a minus cannot be repeated"
		}
		if reason != "" {
			return nil, fail(term, reason)
		}
		onlyMinus = onlyMinus && minus
		for i, info := range infos {
			switch {
			case !match(i, info):
			case minus:
				drop[i] = true
			default:
				take[i] = max(take[i], times)
			}
		}
	}
	var picked []Info
	for i, info := range infos {
		if onlyMinus {
			take[i] = 1
		}
		if drop[i] {
			continue
		}
		for range take[i] {
			picked = append(picked, info)
		}
	}
	if len(picked) == 0 {
		return nil, fail("", "no device is selected")
	}
	return picked, nil
}

// parseTerm understands one term without its "!". The reason is "" if it did.
func parseTerm(term string, devices int) (match func(int, Info) bool, times int, reason string) {
	times = 1
	head, pattern, isName := strings.Cut(term, ":")
	if isName {
		if !strings.EqualFold(strings.TrimSpace(head), "name") {
			return nil, 0, "not understood"
		}
		re, err := regexp.Compile("(?i)" + pattern)
		if err != nil {
			return nil, 0, err.Error()
		}
		if pattern == "" {
			return nil, 0, "the pattern is empty"
		}
		return func(_ int, i Info) bool { return re.MatchString(i.Name) }, 1, ""
	}
	if body, count, ok := strings.Cut(term, "*"); ok {
		n, err := strconv.ParseUint(strings.TrimSpace(count), 10, 32)
		if err != nil || n < 1 || n > maxRepeat {
			return nil, 0, fmt.Sprintf("repeat 1 to %d times", maxRepeat)
		}
		term, times = strings.TrimSpace(body), int(n)
	}
	switch word := strings.ToLower(term); word {
	case "":
		return nil, 0, "the term is empty"
	case "all":
		return func(int, Info) bool { return true }, times, ""
	case "gpu":
		return func(_ int, i Info) bool { return i.Type == GPU }, times, ""
	case "cpu":
		return func(_ int, i Info) bool { return i.Type == CPU }, times, ""
	case "nvidia", "intel":
		return func(_ int, i Info) bool { return madeBy(i, word) }, times, ""
	case "amd":
		return func(_ int, i Info) bool { return madeBy(i, word) || madeBy(i, "advanced micro devices") }, times, ""
	case "pocl":
		return func(_ int, i Info) bool { return isPoCL(i) }, times, ""
	}
	first, last, isRange := strings.Cut(term, "-")
	if !isRange {
		last = first
	}
	lo, err := strconv.ParseUint(strings.TrimSpace(first), 10, 31)
	hi, err2 := strconv.ParseUint(strings.TrimSpace(last), 10, 31)
	switch {
	case err != nil || err2 != nil:
		return nil, 0, "not understood (all, gpu, cpu, 0, 0-3, nvidia, amd, intel, pocl, name:REGEX, 0*3, !2)"
	case hi < lo:
		return nil, 0, "the range is backwards"
	case hi >= uint64(devices):
		return nil, 0, fmt.Sprintf("there is no device %d", max(lo, uint64(devices)))
	}
	return func(k int, _ Info) bool { return int(lo) <= k && k <= int(hi) }, times, ""
}

func madeBy(i Info, word string) bool {
	return strings.Contains(strings.ToLower(i.Vendor+" / "+i.Platform), word)
}

func isPoCL(i Info) bool {
	return strings.Contains(i.Platform, "Portable Computing Language")
}

func byDefault(infos []Info) []Info {
	var gpus []Info
	for _, i := range infos {
		if i.Type == GPU && i.Twin < 0 {
			gpus = append(gpus, i)
		}
	}
	if gpus != nil {
		return gpus
	}
	for _, wanted := range []func(Info) bool{
		func(i Info) bool { return i.Type == CPU && isPoCL(i) },
		func(i Info) bool { return i.Type == CPU },
		func(Info) bool { return true },
	} {
		var found []Info
		for _, i := range infos {
			if wanted(i) && (found == nil || found[0].Platform == i.Platform) {
				found = append(found, i)
			}
		}
		if found != nil {
			return found
		}
	}
	return nil
}

// Table shows devices as aligned text, a heading and one line per device.
func Table(infos []Info) string {
	if len(infos) == 0 {
		return "(none)\n"
	}
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "#\ttype\tname\tplatform\tdriver\tunits\tMHz\tmemory\tbuffer\tfp64\t")
	for _, i := range infos {
		fp64, note := "yes", ""
		if !i.FP64 {
			fp64 = "no"
		}
		if i.Twin >= 0 {
			note = fmt.Sprintf("twin of %d", i.Twin)
		}
		fmt.Fprintf(w, "%d\t%s\t%s\t%s\t%s\t%d\t%d\t%s\t%s\t%s\t%s\n", i.Index, i.Type, i.Name, i.Platform, i.Driver,
			i.ComputeUnits, i.ClockMHz, bytes(i.GlobalMem), bytes(i.MaxAlloc), fp64, note)
	}
	w.Flush()
	lines := strings.Split(b.String(), "\n")
	for k := range lines {
		lines[k] = strings.TrimRight(lines[k], " ")
	}
	return strings.Join(lines, "\n")
}

// bytes prints a size with three digits and a binary unit.
func bytes(n int64) string {
	v, unit := float64(n), "B"
	for _, u := range []string{"KiB", "MiB", "GiB", "TiB"} {
		if v < 1000 {
			break
		}
		v, unit = v/1024, u
	}
	if unit == "B" {
		return fmt.Sprintf("%d B", n)
	}
	return fmt.Sprintf("%.3g %s", v, unit)
}
