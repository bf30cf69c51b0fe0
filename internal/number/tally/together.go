package tally

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/gobfcl/bfcl/internal/pattern"
	"github.com/gobfcl/bfcl/internal/record"
	"github.com/gobfcl/bfcl/internal/say"
)

// aside matches the name of a folder that a later run moved aside.
var aside = pattern.Of(`^(.+)\.\d{8}-\d{6}(-\d+)?$`)

// Together returns those of several names, such as results/*/, that are read
// together, with a note about each other one: a folder without a run, an earlier run
// or a part of one that is named too, and a run of another dataset than most, unless
// mixed says that datasets may differ. If too few are left, it returns all: reading
// them says what is wrong.
func Together(names []string, mixed bool, least int) (kept, notes []string) {
	if len(names) < 2 {
		return names, nil
	}
	named := map[string]bool{}
	for _, name := range names {
		named[filepath.Clean(name)] = true
	}
	most, of := usual(names)
	for _, name := range names {
		if why := apart(name, named, of[name], most, mixed); why != "" {
			notes = append(notes, fmt.Sprintf("%s is left out: %s", say.Plain(name, 300), why))
			continue
		}
		kept = append(kept, name)
	}
	if len(kept) < least {
		return names, nil
	}
	return kept, notes
}

// usual returns the digest of the dataset that most runs have, of equally many the
// first, and what each run states.
func usual(names []string) (most string, of map[string]*record.Run) {
	of = map[string]*record.Run{}
	counts := map[string]int{}
	for _, name := range names {
		for _, folder := range append([]string{name}, shardsOf(name)...) {
			if run, err := record.ReadRun(folder); err == nil {
				of[name] = run
				counts[run.Digest]++
				break
			}
		}
	}
	for _, name := range names {
		if run := of[name]; run != nil && counts[run.Digest] > counts[most] {
			most = run.Digest
		}
	}
	return most, of
}

// apart says why a name is not read together with others; "" if it is.
func apart(name string, named map[string]bool, stated *record.Run, most string, mixed bool) string {
	path := filepath.Clean(name)
	if isDir(name) && !isRun(name) && shardsOf(name) == nil {
		if _, err := record.FindAll(name); err != nil {
			return "it holds no run"
		}
	}
	if m := aside().FindStringSubmatch(path); m != nil && named[m[1]] {
		return "it is an earlier run of " + say.Plain(m[1], 300)
	}
	if whole, part := strings.CutSuffix(path, "-part"); part && named[whole] {
		return "it is a part of the cases of " + say.Plain(whole, 300)
	}
	if stated != nil && stated.Digest != most && !mixed {
		return fmt.Sprintf("it is of another dataset, %s with digest %.12s", say.Plain(stated.Dataset, 200), say.Plain(stated.Digest, 80))
	}
	return ""
}
