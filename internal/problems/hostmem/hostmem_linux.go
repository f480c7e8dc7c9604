package hostmem

import (
	"bufio"
	"bytes"
	"math"
	"os"
	"path"
	"strconv"
	"strings"
	"syscall"
)

// rooms returns what each limit leaves.
func rooms(h heap) []Room { return roomsBelow("/", h) }

// roomsBelow is rooms with the files of the system below a folder.
func roomsBelow(root string, h heap) []Room {
	all := []Room{machine(root, h), addresses(root, h)}
	return append(all, groups(root, h)...)
}

// machine returns what the machine has available, with its swap.
func machine(root string, h heap) Room {
	m := fields(path.Join(root, "proc/meminfo"))
	available, ok := m["MemAvailable:"]
	if !ok {
		return unlimited
	}
	return Room{(available+m["SwapFree:"])<<10 + h.idle, "the memory of the machine"}
}

// addresses returns what the limit of virtual memory leaves.
func addresses(root string, h heap) Room {
	var limit syscall.Rlimit
	text, err := os.ReadFile(path.Join(root, "proc/self/statm"))
	if err != nil || syscall.Getrlimit(syscall.RLIMIT_AS, &limit) != nil || limit.Cur > math.MaxInt64 {
		return unlimited
	}
	first, _, _ := strings.Cut(string(text), " ")
	pages, err := strconv.ParseInt(first, 10, 64)
	if err != nil {
		return unlimited
	}
	return Room{int64(limit.Cur) - pages*int64(os.Getpagesize()) + h.idle + h.given, "the limit of ulimit -v"}
}

// groups returns what the limits of the control groups of the process leave, of all groups around it.
func groups(root string, h heap) (all []Room) {
	text, err := os.ReadFile(path.Join(root, "proc/self/cgroup"))
	if err != nil {
		return nil
	}
	for line := range bytes.Lines(text) {
		parts := strings.SplitN(strings.TrimSpace(string(line)), ":", 3)
		if len(parts) < 3 {
			continue
		}
		folder := "sys/fs/cgroup"
		limit := "memory.max"
		usage := "memory.current"
		switch {
		case parts[0] == "0" && parts[1] == "":
		case strings.Contains(","+parts[1]+",", ",memory,"):
			folder = "sys/fs/cgroup/memory"
			limit = "memory.limit_in_bytes"
			usage = "memory.usage_in_bytes"
		default:
			continue
		}
		for at := path.Clean("/" + parts[2]); ; at = path.Dir(at) {
			dir := path.Join(root, folder, at)
			most, err := number(path.Join(dir, limit))
			used, missing := number(path.Join(dir, usage))
			if err == nil && missing == nil && most < math.MaxInt64/2 {
				s := fields(path.Join(dir, "memory.stat"))
				cached := max(s["inactive_file"], s["total_inactive_file"]) // it is given back for memory
				all = append(all, Room{most - used + cached + h.idle, "the limit of the control group"})
			}
			if at == "/" {
				break
			}
		}
	}
	return all
}

// number reads the number in a file.
func number(name string) (int64, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return 0, err
	}
	return strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64)
}

// fields reads the lines of a file that begin with a name and a number.
func fields(name string) map[string]int64 {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil
	}
	m := map[string]int64{}
	for lines := bufio.NewScanner(bytes.NewReader(text)); lines.Scan(); {
		f := strings.Fields(lines.Text())
		if len(f) < 2 {
			continue
		}
		if v, err := strconv.ParseInt(f[1], 10, 64); err == nil {
			m[f[0]] = v
		}
	}
	return m
}
