package cl

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"text/tabwriter"
)

// SelectionError says which term of a device selector is wrong and lists the
// devices. Term is empty if each term is valid but no device is selected.
type SelectionError struct{ Selector, Term, Reason, Table string }

func (e *SelectionError) Error() string {
	what := e.Reason
	if e.Term != "" {
		what = fmt.Sprintf("term %q: %s", e.Term, e.Reason)
	}
	return fmt.Sprintf("cl: device selector %q: %s. The devices are:\n%s", e.Selector, what, e.Table)
}

// maxRepeat bounds the 3 of "0*3". A larger number is a typing error.
const maxRepeat = 256

// Select chooses devices by text. It returns the devices that match any of the
// terms, which are separated by commas, except those that match a term after "!".
// The order of terms does not matter.
//
//	all gpu cpu          by type
//	0  0-3               by index
//	nvidia amd intel     by vendor
//	pocl                 by platform
//	name:REGEX           by device name, ignoring case (a comma ends the term)
//	0*3                  three equal elements, to open the device three times
//	!2                   all but 2
//
// The empty selector chooses all GPUs, each chip once. Without a GPU it chooses
// the CPUs of one platform, PoCL if possible, and without these the devices of the
// first platform. The result is in order of index. If a term is not understood, an
// index does not exist or the result is empty, the error is a *SelectionError.
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
			reason = "an exclusion cannot be repeated"
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

// parseTerm parses one term without its "!". reason is "" on success.
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

// Cells returns the rows of a table with heads and a row for each device. Rows with a note have one more cell.
func Cells(infos []Info) [][]string {
	rows := [][]string{{"#", "type", "name", "platform", "driver", "units", "MHz", "memory", "buffer", "fp64"}}
	for _, i := range infos {
		fp64 := "yes"
		if !i.FP64 {
			fp64 = "no"
		}
		row := []string{strconv.Itoa(i.Index), fmt.Sprint(i.Type), i.Name, i.Platform, i.Driver,
			strconv.Itoa(i.ComputeUnits), strconv.Itoa(i.ClockMHz), bytes(i.GlobalMem), bytes(i.MaxAlloc), fp64}
		if i.Fault != nil {
			row = append(row, fmt.Sprintf("%s: %v", i.Fault.Query, i.Fault.Code))
		} else if i.Twin >= 0 {
			row = append(row, fmt.Sprintf("twin of %d", i.Twin))
		}
		rows = append(rows, row)
	}
	return rows
}

// Table returns the table of Cells as aligned text.
func Table(infos []Info) string {
	if len(infos) == 0 {
		return "(none)\n"
	}
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	for _, row := range Cells(infos) {
		fmt.Fprintln(w, strings.Join(row, "\t")+"\t")
	}
	w.Flush()
	lines := strings.Split(b.String(), "\n")
	for k := range lines {
		lines[k] = strings.TrimRight(lines[k], " ")
	}
	return strings.Join(lines, "\n")
}

// bytes formats a size with three digits and a binary unit.
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
