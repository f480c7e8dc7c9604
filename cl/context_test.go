package cl

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"
)

// alone opens the device of open n times, in a context that no other test has or gets.
func alone(t *testing.T, n int) (devices []*Device) {
	t.Helper()
	others := func() {
		contexts.Lock()
		defer contexts.Unlock()
		clear(contexts.of)
	}
	others()
	t.Cleanup(others)
	for range n {
		devices = append(devices, open(t))
	}
	return devices
}

// set makes a program store a number in a buffer of its device.
func set(d *Device, text string, number uint32) error {
	p, err := d.Build(text, "", nil)
	if err != nil {
		return err
	}
	defer p.Close()
	k, err := p.Kernel("test_store", Mem[uint32](), U32)
	if err != nil {
		return err
	}
	a, err := Alloc[uint32](d, 1)
	if err != nil {
		return err
	}
	defer a.Close()
	got := []uint32{0}
	if err := errors.Join(k.Launch([]int{1}, nil, a, number), a.Read(0, got)); err != nil {
		return err
	}
	if got[0] != number {
		return fmt.Errorf("%d instead of %d", got[0], number)
	}
	return nil
}

const storeText = "kernel void test_store(global uint *a, const uint number) { a[0] = number; }\n"

// All openings of a device have one context, in which a text is built once. Each has arguments of its own, and works
// after others are closed. The last one releases everything.
func TestOneContext(t *testing.T) {
	before := Objects()
	devices := alone(t, 3)
	if n := Objects() - before; n != 4 {
		t.Errorf("%d objects for one context and three queues", n)
	}
	builds := 0
	for k, d := range devices {
		check(t, set(d, storeText, uint32(k)))
		builds += len(d.Builds())
	}
	if builds != 1 {
		t.Errorf("a text is built %d times", builds)
	}
	devices[0].Close()
	check(t, set(devices[1], storeText, 7))
	devices[1].Close()
	devices[2].Close()
	if n := Objects(); n != before {
		t.Errorf("%d objects after the last opening is closed, %d before the first", n, before)
	}
}

// Openings that want the same texts at the same time build each once. Where it does not build, each has its own error.
func TestBuildTogether(t *testing.T) {
	const openings, texts, wrong = 4, 3, "and some more"
	devices := alone(t, openings)
	if strings.Contains(devices[0].Info().Platform, "Oclgrind") {
		t.Skip("Oclgrind gives wrong values when two threads use it")
	}
	var all sync.WaitGroup
	for k, d := range devices {
		all.Go(func() {
			for i := range texts {
				if err := set(d, fmt.Sprintf("%s// %d\n", storeText, i), uint32(10*k+i)); err != nil {
					t.Error(err)
				}
			}
			if e, ok := errors.AsType[*BuildError](set(d, storeText+wrong, 1)); !ok || len(e.Messages) == 0 {
				t.Errorf("the error of a wrong text is %v", e)
			}
		})
	}
	all.Wait()
	good := 0
	for _, d := range devices {
		for _, b := range d.Builds() {
			if b.Bytes != len(storeText)+len(wrong) {
				good++
			}
		}
	}
	if good != texts {
		t.Errorf("%d texts are built %d times", texts, good)
	}
}

// A call that fails on one opening leaves the others of the device, but later openings have another context.
func TestOneOpeningFails(t *testing.T) {
	devices := alone(t, 2)
	end := Inject(func(c Call) Fault {
		if c.Device == devices[0] {
			return Fault{Code: OutOfResources}
		}
		return Fault{}
	})
	defer end()
	e, ok := errors.AsType[*DeviceError](devices[0].Finish())
	if !ok || e.Device != devices[0] {
		t.Errorf("the error is %v", e)
	}
	check(t, set(devices[1], storeText, 1))
	later := open(t)
	if check(t, set(later, storeText, 2)); later.context == devices[1].context {
		t.Error("a device is opened in a context in which a call has failed")
	}
}

// Abandon gives up one opening, and AbandonAll all that have its context, also one that waits for a text that another
// one builds. Later openings work.
func TestAbandon(t *testing.T) {
	devices := alone(t, 3)
	back, hung := make(chan struct{}), make(chan *Device, 2)
	end := Inject(func(c Call) Fault {
		if c.Device == devices[0] && c.Function == "clFinish" ||
			c.Device == devices[1] && c.Function == "clBuildProgram" && c.Number == 0 {
			hung <- c.Device
			return Fault{Hang: back}
		}
		return Fault{}
	})
	defer end()
	defer close(back)
	lost := func(d *Device, err error) {
		t.Helper()
		e, ok := errors.AsType[*DeviceError](err)
		if _, hang := errors.AsType[*HangError](err); !ok || !hang || e.Device != d || !d.Abandoned() {
			t.Errorf("the error of %p is %v", d, err)
		}
	}
	go devices[0].Finish()
	<-hung
	lost(devices[0], devices[0].Abandon())
	lost(devices[0], devices[0].Finish())
	if devices[1].Abandoned() || devices[2].Finish() != nil {
		t.Error("other openings are given up")
	}
	go set(devices[1], storeText, 1)
	<-hung
	waits := make(chan error)
	go func() { waits <- set(devices[2], storeText, 2) }()
	for devices[2].Waiting() == (Waiting{}) {
		time.Sleep(time.Millisecond)
	}
	lost(devices[1], devices[1].AbandonAll())
	lost(devices[2], <-waits)
	check(t, set(open(t), storeText, 3))
}
