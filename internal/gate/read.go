package gate

import (
	"bytes"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/agnivade/levenshtein"
	"go.yaml.in/yaml/v3"

	"github.com/gobfcl/bfcl/categories"
	"github.com/gobfcl/bfcl/internal/failure"
	"github.com/gobfcl/bfcl/internal/ladder"
	"github.com/gobfcl/bfcl/internal/score"
)

// Example is a gate file with comments.
//
//go:embed example.yaml
var Example string

// Limits on a file, so that a hostile one ends in an error, quickly.
const (
	maxBytes  = 1 << 20
	maxFaults = 20
)

// Load reads a gate file.
func Load(path string) (*Config, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("gate file: %w", err)
	}
	defer func() { _ = file.Close() }()
	data, err := io.ReadAll(io.LimitReader(file, maxBytes+1))
	if err != nil {
		return nil, fmt.Errorf("gate file: %w", err)
	}
	return Parse(path, data)
}

// Parse reads a gate file's text. All that is wrong with it is in the error,
// a line each.
func Parse(name string, data []byte) (*Config, error) {
	r := &reader{file: name, on: Estimate, minCases: DefaultMinCases}
	c := &Config{}
	if doc := r.parse(data); doc != nil {
		r.top(doc, c)
	}
	if len(r.faults) == 0 && c.Count() == 0 {
		r.fault(1, "the file states no rule: see `bfcl gate --init`")
	}
	if err := errors.Join(r.faults...); err != nil {
		return nil, err
	}
	return c, nil
}

// A reader walks the YAML and gathers faults, so that a user sees all of them
// at once.
type reader struct {
	file     string
	faults   []error
	on       On
	minCases int
}

func (r *reader) fault(line int, format string, args ...any) {
	if len(r.faults) < maxFaults {
		r.faults = append(r.faults, fmt.Errorf("%s:%d: %s", failure.Plain(r.file, 300), line, fmt.Sprintf(format, args...)))
	}
}

var yamlLine = regexp.MustCompile(`^yaml: (?:line (\d+): )?`)

// parse is the file's mapping; nil where it is empty or broken.
func (r *reader) parse(data []byte) *yaml.Node {
	if len(data) > maxBytes {
		r.fault(1, "the file is larger than %d bytes", maxBytes)
		return nil
	}
	decoder := yaml.NewDecoder(bytes.NewReader(data))
	var doc, more yaml.Node
	err := decoder.Decode(&doc)
	switch {
	case errors.Is(err, io.EOF):
		return nil
	case err != nil:
		r.syntax(err)
		return nil
	}
	switch err := decoder.Decode(&more); {
	case err == nil:
		r.fault(more.Line, "a second document: the file must hold one")
	case errors.Is(err, io.EOF):
		return doc.Content[0]
	default:
		r.syntax(err)
	}
	return nil
}

func (r *reader) syntax(err error) {
	text, line := err.Error(), 1
	if m := yamlLine.FindStringSubmatch(text); m != nil {
		text = text[len(m[0]):]
		if n, err := strconv.Atoi(m[1]); err == nil {
			line = n
		}
	}
	r.fault(line, "not YAML: %s", failure.Plain(text, 300))
}

// pairs calls f for each key of a mapping that is among the known ones.
func (r *reader) pairs(n *yaml.Node, where string, known []string, f func(key string, k, v *yaml.Node)) {
	if n.Kind != yaml.MappingNode {
		r.fault(n.Line, "%s: want a mapping of names to values", where)
		return
	}
	lines := map[string]int{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		k, v := n.Content[i], n.Content[i+1]
		switch {
		case k.Kind != yaml.ScalarNode || v.Kind == yaml.AliasNode:
			r.fault(k.Line, "%s: plain names and values are wanted, without aliases", where)
		case lines[k.Value] > 0:
			r.fault(k.Line, "%s: %s is given twice, first in line %d", where, failure.Plain(k.Value, 80), lines[k.Value])
		case !slices.Contains(known, k.Value):
			r.fault(k.Line, "%s: unknown key %s; did you mean %q?", where, failure.Quote(k.Value, 80), nearest(k.Value, known))
		default:
			lines[k.Value] = k.Line
			f(k.Value, k, v)
		}
	}
}

// nearest is the known name most like another, or one that it is a part of.
func nearest(name string, known []string) string {
	if len(name) > 100 {
		name = name[:100]
	}
	best := slices.MinFunc(known, func(a, b string) int {
		return levenshtein.ComputeDistance(name, a) - levenshtein.ComputeDistance(name, b)
	})
	if levenshtein.ComputeDistance(name, best) <= len(name)/2+1 {
		return best
	}
	if at := slices.IndexFunc(known, func(k string) bool { return len(name) > 2 && strings.Contains(k, name) }); at >= 0 {
		return known[at]
	}
	return best
}

var topKeys = []string{"partial", "on", "min_cases", "floors", "ladder", "regressions", "ceilings", "required"}

// top reads the defaults first, wherever in the file they stand.
func (r *reader) top(doc *yaml.Node, c *Config) {
	sections := map[string]*yaml.Node{}
	r.pairs(doc, "the gate file", topKeys, func(key string, _, v *yaml.Node) { sections[key] = v })
	given := func(key string, read func(*yaml.Node)) {
		if n := sections[key]; n != nil {
			read(n)
		}
	}
	given("partial", func(n *yaml.Node) {
		if n.ShortTag() != "!!bool" || n.Decode(&c.Partial) != nil {
			r.fault(n.Line, "partial: want true or false")
		}
	})
	given("on", func(n *yaml.Node) { r.on = r.readOn(n) })
	given("min_cases", func(n *yaml.Node) { r.minCases = r.count(n, "min_cases") })
	given("floors", func(n *yaml.Node) { c.Floors = r.limits(n, "floors", "min", accuracies()) })
	given("ladder", func(n *yaml.Node) { c.Ladder = r.limits(n, "ladder", "min", levels()) })
	given("regressions", func(n *yaml.Node) { c.Regressions = r.regressions(n) })
	given("ceilings", func(n *yaml.Node) { c.Ceilings = r.limits(n, "ceilings", "max", ceilings) })
	given("required", func(n *yaml.Node) { c.Required = r.ids(n) })
}

// accuracies are the names that have one.
func accuracies() []string {
	out := []string{"overall"}
	add := func(name string) {
		if !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	for _, l := range score.Layouts {
		l.Walk(func(n *score.Node, _ int, _ bool) { add(n.Name) })
	}
	for _, c := range categories.All() {
		add(c.Name)
	}
	return out
}

func levels() (out []string) {
	for _, l := range ladder.Levels() {
		out = append(out, l.String())
	}
	return out
}

func (r *reader) readOn(n *yaml.Node) On {
	on := On(n.Value)
	if n.Kind != yaml.ScalarNode || on != Estimate && on != Interval {
		r.fault(n.Line, "on: want %s or %s", Estimate, Interval)
		return r.on
	}
	return on
}

func (r *reader) count(n *yaml.Node, where string) int {
	var x int
	if n.ShortTag() != "!!int" || n.Decode(&x) != nil || x < 1 || x > math.MaxInt32 {
		r.fault(n.Line, "%s: want a whole number of 1 or more", where)
		return DefaultMinCases
	}
	return x
}

func (r *reader) number(n *yaml.Node, where string, most float64) float64 {
	var x float64
	tag := n.ShortTag()
	if n.Kind != yaml.ScalarNode || tag != "!!int" && tag != "!!float" || n.Decode(&x) != nil || !(x >= 0 && x <= most) {
		limit := ""
		if most < math.MaxFloat64 {
			limit = fmt.Sprintf(" and at most %g", most)
		}
		r.fault(n.Line, "%s: want a number, at least 0%s", where, limit)
		return 0
	}
	return x
}

const percentMost = 100

// most is the largest limit that makes sense, where there is one.
func most(section, target string) float64 {
	if section == "ceilings" && target != "errors" {
		return math.MaxFloat64
	}
	return percentMost
}

// limits reads a section of names with a number, or a mapping that has it under
// a key.
func (r *reader) limits(n *yaml.Node, section, key string, names []string) (out []Rule) {
	r.pairs(n, section, names, func(target string, k, v *yaml.Node) {
		rule := Rule{Target: target, On: r.on, MinCases: r.minCases, Line: k.Line}
		where := section + "." + target
		if v.Kind != yaml.MappingNode {
			rule.Limit = r.number(v, where, most(section, target))
			out = append(out, rule)
			return
		}
		keys := []string{key, "on", "min_cases"}
		if section == "ceilings" {
			keys = []string{key, "min_cases"}
		}
		given := false
		r.pairs(v, where, keys, func(name string, _, v *yaml.Node) {
			if name == key {
				given, rule.Limit = true, r.number(v, where+"."+key, most(section, target))
				return
			}
			r.option(&rule, name, v, where)
		})
		if !given {
			r.fault(k.Line, "%s: %s is missing", where, key)
		}
		out = append(out, rule)
	})
	return out
}

func (r *reader) option(rule *Rule, name string, v *yaml.Node, where string) {
	switch name {
	case "on":
		rule.On = r.readOn(v)
	case "min_cases":
		rule.MinCases = r.count(v, where+".min_cases")
	case "points":
		rule.Limit = r.number(v, where+".points", percentMost)
	case "detect":
		rule.Detect = r.number(v, where+".detect", percentMost)
	case "significance":
		rule.Significance = r.number(v, where+".significance", 0.5)
	}
}

// each is the target that stands for every category.
const each = "categories"

func (r *reader) regressions(n *yaml.Node) (out []Rule) {
	r.pairs(n, "regressions", append([]string{each}, accuracies()...), func(target string, k, v *yaml.Node) {
		rule := Rule{Target: target, On: r.on, MinCases: r.minCases, Line: k.Line}
		where := "regressions." + target
		given := map[string]bool{}
		r.pairs(v, where, []string{"points", "significance", "on", "min_cases", "detect"}, func(name string, _, v *yaml.Node) {
			given[name] = true
			r.option(&rule, name, v, where)
		})
		switch {
		case v.Kind != yaml.MappingNode:
		case given["points"] == given["significance"]:
			r.fault(k.Line, "%s: give either points, the loss that is allowed, or significance, the level at which no loss is", where)
		case given["significance"] && rule.Significance == 0:
			r.fault(k.Line, "%s: significance must be above 0, such as 0.05", where)
		case given["points"] && given["detect"], given["significance"] && given["on"]:
			r.fault(k.Line, "%s: on belongs to points, detect to significance", where)
		}
		out = append(out, rule)
	})
	return out
}

func (r *reader) ids(n *yaml.Node) (out []string) {
	if n.Kind != yaml.SequenceNode {
		r.fault(n.Line, "required: want a list of case ids")
		return nil
	}
	for _, item := range n.Content {
		id := strings.TrimSpace(item.Value)
		switch {
		case item.Kind != yaml.ScalarNode || id == "":
			r.fault(item.Line, "required: want case ids such as simple_python_0")
		case slices.Contains(out, id):
			r.fault(item.Line, "required: %s is given twice", failure.Plain(id, 80))
		default:
			out = append(out, id)
		}
	}
	return out
}
