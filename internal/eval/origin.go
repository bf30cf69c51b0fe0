package eval

import (
	"cmp"
	_ "embed"
	"fmt"
	"strings"
	"sync"

	"github.com/gobfcl/bfcl/internal/say"
)

// A State says how much is known about a dataset's cases.
type State string

// The states of a dataset.
const (
	// Official is the data of which figures are published.
	Official State = "official"
	// Commit is the unaltered data of an older release of upstream's.
	Commit State = "commit"
	// Altered is official data that was changed.
	Altered State = "altered"
	// Own is a user's own data, or the starter suite.
	Own State = "own"
)

// An Origin says where a dataset's cases are from.
type Origin struct {
	State State `json:"state"`
	// Release is upstream's release, "v4" or "v1"; "" for a user's own data.
	Release string `json:"release,omitempty"`
	// Commit is upstream's commit in hex, and Date its day; "" if not known.
	Commit string `json:"commit,omitempty"`
	Date   string `json:"date,omitempty"`
	// Differing are the files of altered data that were changed, are missing,
	// or were added.
	Differing []string `json:"differing,omitempty"`
}

//go:embed releases.txt
var releases string

// A row is one of upstream's releases.
type row struct {
	digest string // of the installed dataset
	Origin
}

// known are upstream's releases, the newest first.
var known = sync.OnceValue(func() (out []row) {
	for line := range strings.Lines(releases) {
		words := strings.Fields(line)
		if words[0] == "#" {
			continue
		}
		r := row{words[0], Origin{State: Commit, Release: words[1], Commit: words[2], Date: words[3]}}
		if r.Release == "v4" || r.Release == "v1" {
			r.State = Official
		}
		out = append(out, r)
	}
	return out
})

// Known returns the origin of upstream's data with this digest; false if no
// release has it.
func Known(digest string) (Origin, bool) {
	for _, r := range known() {
		if r.digest == digest {
			return r.Origin, true
		}
	}
	return Origin{}, false
}

// Releases returns the names of upstream's releases, the newest first.
func Releases() (names []string) {
	for _, r := range known() {
		names = append(names, r.Release)
	}
	return names
}

// Named returns a release's commit and the digest of its data; "" if there is
// none of that name.
func Named(release string) (commit, digest string) {
	for _, r := range known() {
		if r.Release == release {
			return r.Commit, r.digest
		}
	}
	return "", ""
}

// IsOfficial reports whether the data is what this project pins for the given
// upstream release. Only then is a score comparable with published ones.
func (o Origin) IsOfficial(release string) bool { return o.State == Official && o.Release == release }

// String returns the origin in a few words, for a heading; "" for a user's own
// data.
func (o Origin) String() string {
	switch o.State {
	case Official:
		return "official, commit " + short(o.Commit)
	case Commit:
		return fmt.Sprintf("upstream's commit %s of %s", short(o.Commit), o.Date)
	case Altered:
		return "altered"
	}
	return ""
}

// Warning says in a sentence why a score is not the benchmark's; "" if it is,
// or if the data does not look like the benchmark's.
func (o Origin) Warning() string {
	switch o.State {
	case Commit:
		return fmt.Sprintf("The cases are those of upstream's commit %s of %s, not those of the published figures: the score cannot be ranked among them. Rules and simulated APIs are this release's.", short(o.Commit), o.Date)
	case Altered:
		return fmt.Sprintf("The official data of %s was altered, so this is not the benchmark's score and cannot be ranked among published models: %s. `bfcl fetch %s --force` puts the official data back.",
			o.Release, cmp.Or(say.First(o.Differing, 4), "its digest is not an official one"), o.Release)
	}
	return ""
}

func short(commit string) string { return commit[:min(len(commit), 7)] }
