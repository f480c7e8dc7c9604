package job

import (
	"fmt"
	"os"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/internal/cl/setup"
)

// CacheElsewhere lets PoCL store the kernels that it compiles in a temporary folder where its own one is full or cannot
// be written, and warns of it. remove removes the folder.
func (c *Call) CacheElsewhere() (remove func()) {
	dir := ""
	cl.OnBadCache(func(bad *setup.CacheError) string {
		var err error
		if dir, err = os.MkdirTemp("", "clopt-pocl-"); err != nil {
			return ""
		}
		text := fmt.Sprintf("%v. Until then they are compiled anew in %s.", bad, dir)
		if show := c.show.Load(); show != nil {
			show.Warnf("%s", text)
		} else if !c.mute.Load() {
			c.notes.Show("! " + text)
		}
		return dir
	})
	return func() {
		cl.OnBadCache(nil)
		if dir != "" {
			os.RemoveAll(dir)
		}
	}
}
