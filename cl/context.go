package cl

import (
	"slices"
	"sync"
)

// context is what all openings of a device share: a context of the driver, and the programs in it. Each opening has a
// queue, buffers, and kernels of its own, since a kernel holds its arguments.
type context struct {
	clContext
	device   uintptr   // the driver's object
	openings []*Device // that are not closed; guarded by contexts

	lost chan struct{} // closed when the driver is given up; guarded by contexts

	mu       sync.Mutex
	kept     []*built                 // programs, the most recently used one first
	building map[source]chan struct{} // closed when a build ends
}

// contexts are those that further openings of a device share. One whose driver has failed is no longer among them.
var contexts = struct {
	sync.Mutex
	of map[uintptr]*context
}{of: map[uintptr]*context{}}

// join gives d the context of the other openings of its device, or a new one.
func (d *Device) join() error {
	id := d.info.handle.id()
	d.context = shared(id, d, nil)
	if d.context != nil {
		return nil
	}
	var made clContext
	if err := d.call(clCreateContext, func() (err error) {
		made, err = d.info.handle.context()
		return err
	}); err != nil {
		return d.fail(clCreateContext, "", err)
	}
	d.context = shared(id, d, made)
	return nil
}

// shared adds an opening to the context of a device. made is a new one for the device, which is released if there is
// one already; without it the result may be nil.
func shared(device uintptr, d *Device, made clContext) *context {
	contexts.Lock()
	defer contexts.Unlock()
	c := contexts.of[device]
	switch {
	case c == nil && made == nil:
		return nil
	case c == nil:
		c = &context{clContext: made, device: device, lost: make(chan struct{}), building: map[source]chan struct{}{}}
		contexts.of[device] = c
	case made != nil: // another opening was faster
		made.release()
	}
	c.openings = append(c.openings, d)
	return c
}

// leave ends an opening. The last one releases the programs and the context.
func (c *context) leave(d *Device) {
	contexts.Lock()
	c.openings = slices.DeleteFunc(c.openings, func(o *Device) bool { return o == d })
	last := len(c.openings) == 0
	if last {
		c.retire()
	}
	contexts.Unlock()
	if last {
		c.keep(0)
		c.release()
	}
}

// retire keeps further openings out of the context. The caller holds the lock of contexts.
func (c *context) retire() {
	if contexts.of[c.device] == c {
		delete(contexts.of, c.device)
	}
}

// fails notes that a call in the context has failed, after which a driver may refuse all others in it. The openings
// that there are try their luck.
func (c *context) fails() {
	contexts.Lock()
	defer contexts.Unlock()
	c.retire()
}

// abandon gives up an opening, and leaves the others.
func (c *context) abandon(d *Device, why *HangError, call string) {
	contexts.Lock()
	defer contexts.Unlock()
	c.retire()
	d.lose(call, why)
}

// abandonAll gives up all openings.
func (c *context) abandonAll(why *HangError, call string) {
	contexts.Lock()
	defer contexts.Unlock()
	c.retire()
	for _, d := range c.openings {
		d.lose(call, why)
	}
	select {
	case <-c.lost:
	default:
		close(c.lost)
	}
}

// take returns the program of a source, for one more user, if the context has it. Otherwise the caller builds it and
// puts it, unless somebody else is building it: then the caller waits until the channel is closed, and asks again.
func (c *context) take(s source) (b *built, wait <-chan struct{}) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for i, b := range c.kept {
		if b.source == s {
			copy(c.kept[1:i+1], c.kept[:i]) // move it to the front
			c.kept[0] = b
			b.users++
			return b, nil
		}
	}
	if done := c.building[s]; done != nil {
		return nil, done
	}
	c.building[s] = make(chan struct{})
	return nil, nil
}

// put ends the build that take has begun. b is nil if it has failed.
func (c *context) put(s source, b *built) {
	c.mu.Lock()
	close(c.building[s])
	delete(c.building, s)
	if b != nil {
		c.kept = slices.Insert(c.kept, 0, b)
	}
	c.mu.Unlock()
	c.keep(maxKept)
}

// keep drops all but the n most recently used programs.
func (c *context) keep(n int) {
	c.mu.Lock()
	var unused []*built
	for len(c.kept) > n {
		last := len(c.kept) - 1
		b := c.kept[last]
		c.kept[last] = nil
		c.kept = c.kept[:last]
		b.dropped = true
		if b.users == 0 {
			unused = append(unused, b)
		}
	}
	c.mu.Unlock()
	for _, b := range unused {
		b.program.release()
	}
}

// give ends one use of a program. It releases one that is not used and not kept.
func (c *context) give(b *built) {
	c.mu.Lock()
	b.users--
	unused := b.dropped && b.users == 0
	c.mu.Unlock()
	if unused {
		b.program.release()
	}
}
