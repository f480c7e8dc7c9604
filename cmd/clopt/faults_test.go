package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/clopt/clopt/cmd/clopt/internal/exit"
	"github.com/clopt/clopt/internal/solvers/runs/record"
	"github.com/clopt/clopt/test/battery"
	"github.com/clopt/clopt/test/shorttest"
)

// shim is a library that is loaded before that of OpenCL. It makes call number AT of FUNCTION fail with CODE, as
// CLOPT_SHIM=FUNCTION:AT:CODE says. If CODE is 0, the call hangs.
const shim = `
#define _GNU_SOURCE
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int fails(const char *function, int *code)
{
    static int made;
    const char *text = getenv("CLOPT_SHIM");
    const size_t n = strlen(function);
    if (!text || strncmp(text, function, n) || text[n] != ':') return 0;
    char *rest;
    if (strtol(text + n + 1, &rest, 10) != __sync_fetch_and_add(&made, 1)) return 0;
    *code = atoi(rest + 1);
    while (*code == 0) pause();
    return 1;
}

/* distort makes the first number of what is read wrong by 2^-40: with CLOPT_SHIM=wrong:AT from read number AT on, with
   CLOPT_SHIM=once:AT in this read only. */
static void distort(double *p)
{
    static int made;
    const char *text = getenv("CLOPT_SHIM");
    if (!text || (strncmp(text, "wrong:", 6) && strncmp(text, "once:", 5))) return;
    const int now = __sync_fetch_and_add(&made, 1), at = atoi(strchr(text, ':') + 1);
    if (now < at || (now > at && *text == 'o')) return;
    const double v = *p < 0 ? -*p : *p;
    if (v > 1e-9 && v < 1e300) *p *= 1 + 0x1p-40; /* other numbers are no sums */
}

#define REAL(f) static __typeof__(&f) real; if (!real) real = (__typeof__(&f))dlsym(RTLD_NEXT, #f)

cl_int clFinish(cl_command_queue q)
{
    REAL(clFinish);
    int code;
    return fails("clFinish", &code) ? code : real(q);
}

cl_int clEnqueueNDRangeKernel(cl_command_queue q, cl_kernel k, cl_uint d, const size_t *o, const size_t *g,
                              const size_t *l, cl_uint n, const cl_event *w, cl_event *e)
{
    REAL(clEnqueueNDRangeKernel);
    int code;
    return fails("clEnqueueNDRangeKernel", &code) ? code : real(q, k, d, o, g, l, n, w, e);
}

cl_int clEnqueueReadBuffer(cl_command_queue q, cl_mem b, cl_bool s, size_t o, size_t n, void *p, cl_uint c,
                           const cl_event *w, cl_event *e)
{
    REAL(clEnqueueReadBuffer);
    int code;
    if (fails("clEnqueueReadBuffer", &code)) return code;
    code = real(q, b, s, o, n, p, c, w, e);
    if (s && n % 8 == 0) distort(p);
    return code;
}
`

// buildShim compiles the shim and returns its path.
func buildShim(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	source, library := filepath.Join(dir, "shim.c"), filepath.Join(dir, "shim.so")
	if err := os.WriteFile(source, []byte(shim), 0o666); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("cc", "-shared", "-fPIC", "-o", library, source, "-ldl").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return library
}

// TestR11LostDevice makes drivers fail below the command. A run on three devices goes on with two and has the same
// bits. A run on one device ends with exit code 6 and the best point that is known.
func TestR11LostDevice(t *testing.T) {
	count := battery.Begin(t)
	library := buildShim(t)
	run := func(devices, fault string, more string) (code int, result record.Result, text string) {
		t.Helper()
		dir := t.TempDir()
		code, text = inChild(t, fmt.Sprintf("run cec2013/f12:n=7000,mode=paper -s masw --set population=8 "+
			"--set iterations=5 --evals 400 --seed 3 -d %s --out %s --name r --checkpoint 1ms --watchdog 3s %s",
			devices, dir, more), "LD_PRELOAD="+library, "CLOPT_SHIM="+fault)
		b, err := os.ReadFile(filepath.Join(dir, "r", "result.json"))
		if err == nil {
			err = json.Unmarshal(b, &result)
		}
		if err != nil {
			t.Errorf("%s: %v\n%s", fault, err, text)
		}
		return code, result, text
	}
	_, want, _ := run("0*3", "", "")
	for _, fault := range []string{"clFinish:40:-36", "clEnqueueNDRangeKernel:400:-5", "clEnqueueReadBuffer:90:-14",
		"clEnqueueReadBuffer:150:0"} {
		devices := "0*3"
		if strings.HasSuffix(fault, ":0") { // a hang loses all openings of a device
			devices = "0-2"
		}
		code, got, text := run(devices, fault, "")
		if code != 0 || got.Best.F != want.Best.F || *got.Best.XSHA256 != *want.Best.XSHA256 ||
			got.Evaluations != want.Evaluations {
			t.Errorf("%s: exit %d, best %v, want %v\n%s", fault, code, got.Best.F, want.Best.F, text)
		}
		count.Count(!t.Failed())
		function, _, _ := strings.Cut(fault, ":")
		if !strings.Contains(text, function) || !strings.Contains(text, "The run goes on with the other devices") {
			t.Errorf("%s: the text does not name the call, or does not say that the run goes on:\n%s", fault, text)
		}
	}
	for _, more := range []string{"", "--checkpoint off"} {
		code, got, text := run("0", "clEnqueueReadBuffer:60:-36", more)
		if code != 6 || !got.Best.Confirmed || !strings.Contains(text, "clEnqueueReadBuffer") {
			t.Errorf("one device %s: exit %d, confirmed %v\n%s", more, code, got.Best.Confirmed, text)
		}
		if again := strings.Contains(text, "clopt resume"); again != (more == "") {
			t.Errorf("one device %s: the text has a command to resume: %v\n%s", more, again, text)
		}
	}
}

// TestR25WrongSums makes a driver add wrongly, by 2^-40 of a sum. If all sums are wrong, or the first one that is read,
// the command refuses the device with exit code 8. A sum that goes wrong later may also end in a value that the host
// confirms: methods read different things before they compare sums.
func TestR25WrongSums(t *testing.T) {
	count, library := battery.Begin(t), buildShim(t)
	faults := shorttest.Rows(2, []struct {
		fault   string
		refused bool
	}{{"wrong:0", true}, {"once:0", true}, {"once:1", false}, {"once:2", false}, {"wrong:3", false}, {"once:3", false},
		{"wrong:40", false}, {"once:40", false}})
	for _, args := range shorttest.Rows(1, []string{"cec2013/f1 -s random", "cec2013/f1 -s masw",
		"classic/rosenbrock -n 500 -s random", "cec2013/f2 -s lbfgs", "cec2013/f4 -s random", "cec2013/f8 -s graybox",
		"cec2013/f12 -s masw", "cec2013/f13 -s lm", "cec2013/f15 -s random", "classic/rastrigin -s random",
		"classic/griewank -s random", "cec2013/f2 -n 100k -s masw"}) {
		for _, c := range faults {
			dir := t.TempDir()
			code, text := inChild(t, fmt.Sprintf("run %s --evals 10k --seed 3 -d 0 --out %s --name r -q", args, dir),
				"LD_PRELOAD="+library, "CLOPT_SHIM="+c.fault)
			good := code == exit.Verify
			if !c.refused && code == 0 {
				good = readResult(t, filepath.Join(dir, "r")).Best.Confirmed
			}
			count.Check(good, "%s, %s: exit %d\n%s", args, c.fault, code, text)
		}
	}
}
