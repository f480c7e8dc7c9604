package cl

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/clopt/clopt/test/battery"
)

// lab is a machine with three GPUs, one of them on two platforms, and two CPU
// runtimes.
func lab() []Info {
	infos := []Info{
		{Platform: "NVIDIA CUDA", Vendor: "NVIDIA Corporation", Name: "NVIDIA H100", Type: GPU, FP64: true,
			GlobalMem: 80 << 30, MaxAlloc: 20 << 30},
		{Platform: "NVIDIA CUDA", Vendor: "NVIDIA Corporation", Name: "NVIDIA H100", Type: GPU, FP64: true},
		{Platform: "AMD Accelerated Parallel Processing", Vendor: "Advanced Micro Devices, Inc.", Name: "gfx90a",
			Type: GPU},
		{Platform: "Portable Computing Language", Vendor: "AuthenticAMD", Name: "pthread-AMD EPYC", Type: CPU},
		{Platform: "Portable Computing Language", Vendor: "NVIDIA", Name: "NVIDIA H100", Type: GPU},
		{Platform: "Intel(R) OpenCL", Vendor: "Intel(R) Corporation", Name: "AMD EPYC", Type: CPU},
	}
	for i := range infos {
		infos[i].Index = i
	}
	markTwins(infos)
	return infos
}

func indices(infos []Info) string {
	var s []string
	for _, i := range infos {
		s = append(s, fmt.Sprint(i.Index))
	}
	return strings.Join(s, " ")
}

func TestSelect(t *testing.T) {
	infos := lab()
	for _, tc := range []struct{ selector, want string }{
		{"", "0 1 2"},
		{"  ", "0 1 2"},
		{"all", "0 1 2 3 4 5"},
		{"gpu", "0 1 2 4"},
		{"CPU", "3 5"},
		{"2", "2"},
		{"2,0", "0 2"},
		{"0-3", "0 1 2 3"},
		{" 1 - 2 , 5 ", "1 2 5"},
		{"nvidia", "0 1 4"},
		{"amd", "2 3"},
		{"intel", "5"},
		{"pocl", "3 4"},
		{"name:h100", "0 1 4"},
		{"name:^gfx", "2"},
		{"NAME:gfx[0-9]+A", "2"},
		{"!2", "0 1 3 4 5"},
		{"!2,!cpu", "0 1 4"},
		{"gpu,!2", "0 1 4"},
		{"!2,gpu", "0 1 4"},
		{"all,!name:EPYC", "0 1 2 4"},
		{"0*3", "0 0 0"},
		{"0*3,2", "0 0 0 2"},
		{"0*3,0", "0 0 0"},
		{"0-1*2", "0 0 1 1"},
		{"cpu*2", "3 3 5 5"},
		{"0*3,gpu,!4", "0 0 0 1 2"},
	} {
		got, err := Select(infos, tc.selector)
		if err != nil || indices(got) != tc.want {
			t.Errorf("%q gives %s, %v; want %s", tc.selector, indices(got), err, tc.want)
		}
	}
}

func TestSelectDefault(t *testing.T) {
	all := lab()
	for _, tc := range []struct {
		infos []Info
		want  string
	}{
		{all[3:4], "3"},
		{[]Info{all[5], all[3]}, "3"}, // PoCL first
		{all[5:], "5"},
		{[]Info{{Index: 7, Type: Accelerator}}, "7"},
	} {
		got, err := Select(tc.infos, "")
		if err != nil || indices(got) != tc.want {
			t.Errorf("got %s, %v; want %s", indices(got), err, tc.want)
		}
	}
}

func TestSelectBad(t *testing.T) {
	infos := lab()
	for _, tc := range []struct{ selector, term, reason string }{
		{"gpus", "gpus", "not understood"},
		{"0,foo", "foo", "not understood"},
		{"6", "6", "there is no device 6"},
		{"4-9", "4-9", "there is no device 6"},
		{"!7", "!7", "there is no device 7"},
		{"3-1", "3-1", "backwards"},
		{"0,,1", "", "the term is empty"},
		{",", "", "the term is empty"},
		{"!", "!", "the term is empty"},
		{"!!1", "!!1", "not understood"},
		{"-1", "-1", "not understood"},
		{"1-", "1-", "not understood"},
		{"0x1", "0x1", "not understood"},
		{"99999999999999999999", "99999999999999999999", "not understood"},
		{"0*0", "0*0", "repeat 1 to"},
		{"0*", "0*", "repeat 1 to"},
		{"0*1000000", "0*1000000", "repeat 1 to"},
		{"!0*2", "!0*2", "cannot be repeated"},
		{"name:", "name:", "the pattern is empty"},
		{"name:[", "name:[", "missing closing"},
		{"vendor:x", "vendor:x", "not understood"},
		{"name:radeon", "", "no device is selected"},
		{"0,!0", "", "no device is selected"},
		{"!all", "", "no device is selected"},
	} {
		got, err := Select(infos, tc.selector)
		var e *SelectionError
		if !errors.As(err, &e) {
			t.Errorf("%q gives %s, %v", tc.selector, indices(got), err)
			continue
		}
		if e.Term != tc.term || !strings.Contains(e.Reason, tc.reason) || e.Selector != tc.selector {
			t.Errorf("%q: term %q, reason %q", tc.selector, e.Term, e.Reason)
		}
		if !strings.Contains(err.Error(), Table(infos)) {
			t.Errorf("%q: the text lacks the table", tc.selector)
		}
	}
	if _, err := Select(nil, ""); err == nil || !strings.Contains(err.Error(), "there is no device") {
		t.Errorf("no devices: %v", err)
	}
}

func TestTwins(t *testing.T) {
	for i, want := range []int{-1, -1, -1, -1, 0, 3} {
		if got := lab()[i].Twin; got != want {
			t.Errorf("device %d is the twin of %d, want %d", i, got, want)
		}
	}
	// Addresses win over names: the first GPU of the second platform is the
	// second of the first.
	infos := lab()
	for i, address := range map[int]string{0: "0000:01:00", 1: "0000:41:00", 4: "0000:41:00"} {
		infos[i].Address = address
	}
	markTwins(infos)
	if infos[4].Twin != 1 {
		t.Errorf("device 4 is the twin of %d, want 1", infos[4].Twin)
	}
}

func TestTable(t *testing.T) {
	lines := strings.Split(strings.TrimRight(Table(lab()), "\n"), "\n")
	if len(lines) != 7 || !strings.HasPrefix(lines[0], "#  type  name ") || !strings.HasSuffix(lines[5], "twin of 0") {
		t.Errorf("%q", lines)
	}
	if !strings.Contains(lines[1], "80 GiB") || !strings.Contains(lines[1], "20 GiB  yes") {
		t.Errorf("%q", lines[1])
	}
}

func FuzzSelect(f *testing.F) {
	battery.Target(f)
	for _, s := range []string{"", "all,!2", "0*3", "0-3", "name:a|b", "!", "gpu*9", "1,2,3", "*", ":", "-"} {
		f.Add(s)
	}
	infos := lab()
	f.Fuzz(func(t *testing.T, selector string) {
		got, err := Select(infos, selector)
		if err != nil {
			var e *SelectionError
			if !errors.As(err, &e) || got != nil {
				t.Fatalf("%q: %v, %v", selector, got, err)
			}
			return
		}
		if len(got) == 0 || len(got) > maxRepeat*len(infos) {
			t.Fatalf("%q selects %d", selector, len(got))
		}
		for i := 1; i < len(got); i++ {
			if got[i].Index < got[i-1].Index {
				t.Fatalf("%q is out of order", selector)
			}
		}
	})
}
