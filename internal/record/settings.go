package record

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// A Difference is a setting that two runs do not share.
type Difference struct {
	// Field is the setting's name in run.json, without "parameters".
	Field string `json:"field"`
	// A and B are the values in the two runs; "" if it is not set.
	A string `json:"a"`
	B string `json:"b"`
}

// String returns the setting with both values.
func (d Difference) String() string {
	return fmt.Sprintf("%s (%s against %s)", d.Field, shownValue(d.A), shownValue(d.B))
}

func shownValue(value string) string {
	if value == "" {
		return "not set"
	}
	return strconv.Quote(value)
}

// The settings that some comparisons leave out.
const (
	modelField   = "model"
	trialsField  = "trials"
	versionField = "version"
	shardsField  = "shards"
)

// Differences returns the settings that can change an answer or its verdict and
// differ between two runs, in a fixed order. Which cases were asked, and how
// many at a time, does not count. If one of the runs is known only from JUnit,
// which has no mode, only what JUnit states is compared.
func Differences(a, b *Run) []Difference {
	var out []Difference
	add := func(field, x, y string) {
		if x != y {
			out = append(out, Difference{field, x, y})
		}
	}
	add(modelField, a.Model, b.Model)
	add("dataset", a.Dataset, b.Dataset)
	add("digest", a.Digest, b.Digest)
	add(trialsField, strconv.Itoa(a.Trials), strconv.Itoa(b.Trials))
	add(shardsField, shardsOf(a), shardsOf(b))
	if a.Mode == "" || b.Mode == "" {
		return out
	}
	add("wording", a.Wording, b.Wording)
	add("mode", string(a.Mode), string(b.Mode))
	add("underscore_to_dot", strconv.FormatBool(a.UnderscoreToDot), strconv.FormatBool(b.UnderscoreToDot))
	add("dialect", a.Dialect, b.Dialect)
	names := slices.AppendSeq(slices.Collect(maps.Keys(a.Parameters)), maps.Keys(b.Parameters))
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		add(name, a.Parameters[name], b.Parameters[name])
	}
	add(versionField, a.Version, b.Version)
	return out
}

// shardsOf returns the number of shards the run was divided into.
func shardsOf(r *Run) string {
	_, count, _ := strings.Cut(r.Shard, "/")
	return count
}

// without leaves settings out.
func without(all []Difference, fields ...string) []Difference {
	return slices.DeleteFunc(all, func(d Difference) bool { return slices.Contains(fields, d.Field) })
}

// otherVersion says that the runs were made by different versions of the
// harness; "" if they were not, or it is not known.
func otherVersion(a, b *Run) string {
	if a.Version == b.Version || a.Version == "" || b.Version == "" {
		return ""
	}
	return fmt.Sprintf("bfcl %s made one part of the run, bfcl %s the other", a.Version, b.Version)
}

// Resumable reports whether a run like want can continue in a folder that holds
// the run have; the error names what differs. More categories and trials may be
// asked for. The note says that another version of the harness continues the
// run.
func Resumable(have, want *Run) (note string, err error) {
	differ := without(Differences(have, want), trialsField, versionField)
	if shard := (Difference{"shard", have.Shard, want.Shard}); shard.A != shard.B {
		differ = append(without(differ, shardsField), shard)
	}
	if want.Job != "" && have.Job != "" && have.Job != want.Job {
		differ = append(differ, Difference{"job", have.Job, want.Job})
	}
	if len(differ) == 0 {
		return otherVersion(have, want), nil
	}
	said, fields := make([]string, len(differ)), make([]string, len(differ))
	for i, d := range differ {
		said[i], fields[i] = fmt.Sprintf("%s %q, not %q", d.Field, d.A, d.B), d.Field
	}
	if later := slices.IndexFunc(differ, func(d Difference) bool { return d.A == "" && (d.Field == "embedder" || d.Field == "search") }); later >= 0 {
		return "", fmt.Errorf("the run was begun without categories that need the %s, which is a setting of all its answers: ask the new categories in another -run-dir", differ[later].Field)
	}
	return "", fmt.Errorf("the run folder was made with %s: choose another -run-dir, or the same %s",
		strings.Join(said, "; "), strings.Join(fields, ", "))
}

// Mergeable reports whether two runs can be shards of one. differ is the first
// setting that prevents it; nil if they can. The note says that different
// versions of the harness made them.
func Mergeable(a, b *Run) (note string, differ *Difference) {
	if all := without(Differences(a, b), versionField); len(all) > 0 {
		return "", &all[0]
	}
	if a.Job != "" && b.Job != "" && a.Job != b.Job {
		return "", &Difference{"job", a.Job, b.Job}
	}
	return otherVersion(a, b), nil
}

// BesidesModel returns the settings, other than the model, that differ between
// two runs, with their values; "" if there are none. The same cases in another
// folder do not count as a difference.
func BesidesModel(a, b *Run) string {
	leave := []string{modelField, "id", shardsField}
	if a.Digest == b.Digest {
		leave = append(leave, "dataset")
	}
	var said []string
	for _, d := range without(Differences(a, b), leave...) {
		said = append(said, d.String())
	}
	if a.Proxy != b.Proxy {
		said = append(said, Difference{"proxy", a.Proxy, b.Proxy}.String())
	}
	if a.Server != b.Server && a.Server != "" && b.Server != "" {
		said = append(said, Difference{"server", a.Server, b.Server}.String())
	}
	return strings.Join(said, ", ")
}
