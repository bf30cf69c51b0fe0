// Package version says which build of the project this is.
package version

import (
	"runtime/debug"
	"sync"
)

// release is set by the linker in builds from an archive, which have no commit:
// -ldflags "-X github.com/gobfcl/bfcl/internal/version.release=v1.2.3".
var release string

// String returns the module's version as known to the build: a tag, or "devel"
// with the commit if the build has it.
func String() string { return read() }

var read = sync.OnceValue(func() string {
	if release != "" {
		return release
	}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "devel"
	}
	if v := info.Main.Version; v != "" && v != "(devel)" {
		return v
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" && len(s.Value) >= 12 {
			return "devel-" + s.Value[:12]
		}
	}
	return "devel"
})
