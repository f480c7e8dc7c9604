package runs

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/clopt/clopt/internal/solvers/runs/disk"
	"github.com/clopt/clopt/test/battery"
)

// A modelDisk keeps what a file system has promised to keep, and what it has not. Files and folders have numbers;
// folders have names of these. A change of a file is pending until the file is synced, and a change of the entries of a
// folder until the folder is synced. After a power loss any part of the pending changes is on the disk.
type modelDisk struct {
	disk.Disk // does everything; the model follows
	inodes    []*modelInode
	changes   []*change // pending ones, in order
}

type modelInode struct {
	durable []byte
	names   map[string]int // of a folder, by name; nil: a file
}

// change is a pending change of one file or of one folder.
type change struct {
	inode int
	data  []byte // appended to a file
	cut   bool   // the file is cut to nothing
	// The entries of a folder: name is set to the number add; 0 removes it. A rename is one change of two entries.
	name, old string
	oldInode  int
	add       int
}

func newModel(d disk.Disk) *modelDisk {
	return &modelDisk{Disk: d, inodes: []*modelInode{{names: map[string]int{}}}}
}

// apply applies a change.
func apply(inodes []*modelInode, c *change) {
	at := inodes[c.inode]
	if at.names == nil {
		if c.cut {
			at.durable = nil
		}
		at.durable = append(at.durable, c.data...)
		return
	}
	if c.old != "" {
		delete(inodes[c.oldInode].names, c.old)
	}
	if c.add == 0 {
		delete(at.names, c.name)
	} else {
		at.names[c.name] = c.add
	}
}

// view returns the files as the running program sees them: with all changes.
func (m *modelDisk) view() []*modelInode {
	all := cloneInodes(m.inodes)
	for _, c := range m.changes {
		apply(all, c)
	}
	return all
}

func cloneInodes(from []*modelInode) (to []*modelInode) {
	for _, n := range from {
		c := &modelInode{durable: slices.Clone(n.durable)}
		if n.names != nil {
			c.names = map[string]int{}
			for k, v := range n.names {
				c.names[k] = v
			}
		}
		to = append(to, c)
	}
	return to
}

// find returns the number of a name, -1 if there is none, and that of its folder.
func (m *modelDisk) find(name string) (inode, parent int) {
	all := m.view()
	for _, part := range strings.Split(path.Clean(name), "/") {
		parent = inode
		if part == "." {
			continue
		}
		n, ok := all[inode].names[part]
		if !ok {
			return -1, parent
		}
		inode = n
	}
	return inode, parent
}

func (m *modelDisk) change(c *change) { m.changes = append(m.changes, c) }

func (m *modelDisk) OpenFile(name string, flag int) (disk.File, error) {
	f, err := m.Disk.OpenFile(name, flag)
	if err != nil || flag&(os.O_WRONLY|os.O_RDWR) == 0 {
		return f, err
	}
	inode, parent := m.find(name)
	if inode < 0 {
		m.inodes = append(m.inodes, &modelInode{})
		inode = len(m.inodes) - 1
		m.change(&change{inode: parent, name: path.Base(name), add: inode})
	} else if flag&os.O_TRUNC != 0 {
		m.change(&change{inode: inode, cut: true})
	}
	return &modelFile{f, m, inode}, nil
}

func (m *modelDisk) Mkdir(name string) error {
	err := m.Disk.Mkdir(name)
	if err == nil {
		_, parent := m.find(name)
		m.inodes = append(m.inodes, &modelInode{names: map[string]int{}})
		m.change(&change{inode: parent, name: path.Base(name), add: len(m.inodes) - 1})
	}
	return err
}

func (m *modelDisk) Rename(from, to string) error {
	err := m.Disk.Rename(from, to)
	if err == nil {
		inode, parent := m.find(from)
		_, target := m.find(to)
		m.change(&change{inode: target, name: path.Base(to), add: inode, old: path.Base(from), oldInode: parent})
	}
	return err
}

func (m *modelDisk) Remove(name string) error {
	err := m.Disk.Remove(name)
	if err == nil {
		_, parent := m.find(name)
		m.change(&change{inode: parent, name: path.Base(name)})
	}
	return err
}

func (m *modelDisk) SyncFolder(name string) error {
	err := m.Disk.SyncFolder(name)
	if err == nil {
		inode, _ := m.find(name)
		m.settle(inode)
	}
	return err
}

// settle makes all pending changes of a file or folder durable.
func (m *modelDisk) settle(inode int) {
	m.changes = slices.DeleteFunc(m.changes, func(c *change) bool {
		if c.inode == inode {
			apply(m.inodes, c)
		}
		return c.inode == inode
	})
}

type modelFile struct {
	disk.File
	m     *modelDisk
	inode int
}

func (f *modelFile) Write(b []byte) (int, error) {
	n, err := f.File.Write(b)
	f.m.change(&change{inode: f.inode, data: slices.Clone(b[:n])})
	return n, err
}

func (f *modelFile) Sync() error {
	err := f.File.Sync()
	if err == nil {
		f.m.settle(f.inode)
	}
	return err
}

// crash writes what may be on the disk after a power loss to the folder dir: of the pending changes some are lost,
// those of a folder may come in another order, and of the data of a file the last part may be lost, or be zero.
func (m *modelDisk) crash(r *rand.Rand, dir string) error {
	all := cloneInodes(m.inodes)
	var pending []*change
	cut := map[int]bool{} // files whose later data are lost
	lose := r.Float64()
	for _, c := range m.changes {
		if r.Float64() < lose {
			cut[c.inode] = cut[c.inode] || all[c.inode].names == nil
			continue
		}
		own := *c
		if all[c.inode].names == nil {
			if cut[c.inode] {
				continue
			}
			if r.IntN(4) == 0 { // the size is on the disk, and the data are not
				own.data = make([]byte, len(c.data))
			} else if r.IntN(4) == 0 {
				own.data, cut[c.inode] = c.data[:r.IntN(len(c.data)+1)], true
			}
			apply(all, &own)
			continue
		}
		pending = append(pending, &own)
	}
	if r.IntN(2) == 0 {
		r.Shuffle(len(pending), func(i, k int) { pending[i], pending[k] = pending[k], pending[i] })
	}
	for _, c := range pending {
		apply(all, c)
	}
	var put func(inode int, at string) error
	put = func(inode int, at string) error {
		if all[inode].names == nil {
			return os.WriteFile(at, all[inode].durable, 0o666)
		}
		if err := os.MkdirAll(at, 0o777); err != nil {
			return err
		}
		for name, n := range all[inode].names {
			if err := put(n, filepath.Join(at, name)); err != nil {
				return err
			}
		}
		return nil
	}
	return put(0, dir)
}

// TestR6PowerLoss cuts the power at random moments of 20 checkpoints, 1,000 times. Each time the newest checkpoint is
// the one that was written last, or the one that was being written, and never a mixture.
func TestR6PowerLoss(t *testing.T) {
	count, top := battery.Begin(t), t.TempDir()
	r := rand.New(rand.NewPCG(1, 2))
	images, most := 0, 1000
	if testing.Short() {
		most = 100
	}
	var now int64 // the checkpoint that is being written, or was written last
	try := func(m *modelDisk, whole int64) {
		images++
		dir := filepath.Join(top, fmt.Sprint(images))
		if err := m.crash(r, dir); err != nil {
			t.Fatal(err)
		}
		step, err := stepOf(dir)
		count.Check(err == nil && step >= whole && step <= now, "image %d: step %d, want %d to %d: %v", images, step,
			whole, now, err)
		os.RemoveAll(dir)
	}
	for cycle := 0; images < most; cycle++ {
		f, err := openFolder(must(os.MkdirTemp(top, "run-")))
		if err != nil {
			t.Fatal(err)
		}
		m := newModel(f.Disk)
		c := &crashing{Disk: m}
		f.Disk = c
		tr, err := openTrace(f)
		if err == nil {
			err = f.SyncFolder(".")
		}
		if err != nil {
			t.Fatal(err)
		}
		whole := int64(0)
		c.each = func() {
			if r.IntN(10) == 0 && images < most {
				try(m, whole)
			}
		}
		for now = 1; now <= 20 && images < most; now++ {
			if err := keep(f, tr, now, 300); err != nil {
				t.Fatal(err)
			}
			whole = now
		}
		now--
		tr.close()
		f.Close()
	}
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// crashing calls each before every operation that changes the disk.
type crashing struct {
	disk.Disk
	each func()
}

func (c *crashing) call() {
	if c.each != nil {
		c.each()
	}
}

func (c *crashing) OpenFile(name string, flag int) (disk.File, error) {
	c.call()
	f, err := c.Disk.OpenFile(name, flag)
	if err != nil {
		return nil, err
	}
	return &crashingFile{f, c}, nil
}
func (c *crashing) Mkdir(name string) error      { c.call(); return c.Disk.Mkdir(name) }
func (c *crashing) Rename(from, to string) error { c.call(); return c.Disk.Rename(from, to) }
func (c *crashing) Remove(name string) error     { c.call(); return c.Disk.Remove(name) }
func (c *crashing) SyncFolder(name string) error { c.call(); return c.Disk.SyncFolder(name) }

type crashingFile struct {
	disk.File
	c *crashing
}

func (f *crashingFile) Write(b []byte) (int, error) { f.c.call(); return f.File.Write(b) }
func (f *crashingFile) Sync() error                 { f.c.call(); return f.File.Sync() }
