package gate

import (
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/gobfcl/bfcl/categories"
	"github.com/gobfcl/bfcl/internal/number/score"
	"github.com/gobfcl/bfcl/internal/number/stat"
	"github.com/gobfcl/bfcl/internal/plainfile"
	"github.com/gobfcl/bfcl/internal/say"
)

// Parse reads a gate file's text. The error lists all mistakes, one per line.
func Parse(name string, data []byte, own ...string) (*Config, error) {
	r := &reader{Reader: plainfile.New(name), file: name, on: Estimate, minCases: DefaultMinCases, own: own}
	c := &Config{}
	if doc := r.Parse(data); doc != nil {
		r.top(doc, c)
	}
	if r.Faults() == 0 && c.Count() == 0 {
		r.FaultLine(1, "the file has no rules: see `bfcl gate --init`")
	}
	if err := r.Err(); err != nil {
		return nil, err
	}
	return c, nil
}

// A reader reads a gate file, with the defaults for its rules.
type reader struct {
	*plainfile.Reader
	file     string
	on       On
	minCases int
	own      []string // categories of a user's own suite
}

var topKeys = []string{"partial", "data", "on", "min_cases", "looks", "baselines", "floors", "regressions", "ceilings", "required", "ladder"}

// top reads the defaults first, wherever they are in the file.
func (r *reader) top(doc *yaml.Node, c *Config) {
	sections := map[string]*yaml.Node{}
	r.Known(doc, "the gate file", topKeys, func(key string, _, v *yaml.Node) { sections[key] = v })
	given := func(key string, read func(*yaml.Node)) {
		if n := sections[key]; n != nil {
			read(n)
		}
	}
	given("partial", func(n *yaml.Node) {
		if n.ShortTag() != "!!bool" || n.Decode(&c.Partial) != nil {
			r.Fault(n, "partial: want true or false")
		}
	})
	given("data", func(n *yaml.Node) {
		if c.Audited = n.Value == "audited"; !c.Audited && n.Value != "official" {
			r.Fault(n, "data: want official, or audited: without the cases that `bfcl errata` lists")
		}
	})
	given("on", func(n *yaml.Node) { r.on = r.readOn(n) })
	given("min_cases", func(n *yaml.Node) { r.minCases = r.count(n, "min_cases") })
	given("looks", func(n *yaml.Node) { c.Looks = r.count(n, "looks") })
	given("baselines", func(n *yaml.Node) { r.baselines(n, c) })
	given("floors", func(n *yaml.Node) {
		c.Floors = r.limits(n, "floors", r.accuracies(), "min", "on", "min_cases", "measure")
	})
	given("regressions", func(n *yaml.Node) { c.Regressions = r.regressions(n) })
	for _, rule := range c.against(Release) {
		if c.Release == "" {
			r.FaultLine(rule.Line, "regressions.%s: against: release needs the release's run: baselines: {release: PATH}", rule.Target)
		}
	}
	given("ceilings", func(n *yaml.Node) {
		var names []string
		for _, f := range ceilings() {
			names = append(names, f.Name)
		}
		c.Ceilings = r.limits(n, "ceilings", names, "max", "min_cases")
	})
	given("ladder", func(n *yaml.Node) { r.Fault(n, "ladder was removed: set floors for categories and groups") })
	given("required", func(n *yaml.Node) { c.Required = r.ids(n) })
}

// accuracies returns the names that have an accuracy.
func (r *reader) accuracies() []string {
	out := append([]string{"overall"}, r.own...)
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

func (r *reader) readOn(n *yaml.Node) On {
	on := On(n.Value)
	if n.Kind != yaml.ScalarNode || on != Estimate && on != Interval {
		r.Fault(n, "on: want %s or %s", Estimate, Interval)
	}
	return on
}

func (r *reader) count(n *yaml.Node, where string) int {
	var x int
	if n.ShortTag() != "!!int" || n.Decode(&x) != nil || x < 1 || x > math.MaxInt32 {
		r.Fault(n, "%s: want a whole number of 1 or more", where)
	}
	return x
}

// share reads a share in percent, "80" or "80%". A value that looks like a
// fraction is refused: 0.8 might be meant as 80%.
func (r *reader) share(n *yaml.Node, where string) float64 {
	bare, marked := strings.CutSuffix(strings.TrimSpace(n.Value), "%")
	if n.Kind == yaml.ScalarNode && marked {
		x, err := strconv.ParseFloat(strings.TrimSpace(bare), 64)
		if err != nil || !(x >= 0 && x <= percentMost) {
			r.Fault(n, "%s: want a share such as 80 or 80%%, at most 100", where)
		}
		return x
	}
	x := r.number(n, where, percentMost)
	if x > 0 && x <= 1 {
		r.Fault(n, "%s: %s is read as percent: write %g%% if that is meant, or %.6g%%", where, say.Plain(n.Value, 40), x, 100*x)
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
		r.Fault(n, "%s: want a number, at least 0%s", where, limit)
	}
	return x
}

const percentMost = 100

// limits reads a section of names, each with a number or with a mapping that
// has the number under a key.
func (r *reader) limits(n *yaml.Node, section string, names []string, key string, options ...string) (out []Rule) {
	r.Known(n, section, names, func(target string, k, v *yaml.Node) {
		rule := Rule{Target: target, On: r.on, MinCases: r.minCases, Line: k.Line}
		where := section + "." + target
		if v.Kind != yaml.MappingNode {
			rule.Limit = r.limit(v, where, section, target)
			out = append(out, rule)
			return
		}
		given := false
		r.Known(v, where, append([]string{key}, options...), func(name string, _, v *yaml.Node) {
			if name == key {
				given, rule.Limit = true, r.limit(v, where+"."+key, section, target)
				return
			}
			r.option(&rule, name, v, where)
		})
		if !given {
			r.Fault(k, "%s: %s is missing", where, key)
		}
		out = append(out, rule)
	})
	return out
}

// limit reads a share in percent for accuracies, and a number for the rest.
func (r *reader) limit(n *yaml.Node, where, section, target string) float64 {
	if section != "ceilings" || target == "errors" && strings.HasSuffix(n.Value, "%") {
		return r.share(n, where)
	}
	if target == "errors" {
		return r.number(n, where, percentMost)
	}
	return r.number(n, where, math.MaxFloat64)
}

func (r *reader) option(rule *Rule, name string, v *yaml.Node, where string) {
	switch name {
	case "on":
		rule.On = r.readOn(v)
	case "min_cases":
		rule.MinCases = r.count(v, where+".min_cases")
	case "measure":
		m, err := stat.ParseMeasure(v.Value)
		if v.Kind != yaml.ScalarNode || err != nil {
			r.Fault(v, "%s.measure: want accuracy or, for several trials, pass@k or pass^k, such as pass^3", where)
		}
		rule.Measure = m
	case "points":
		rule.Limit = r.number(v, where+".points", percentMost)
	case "detect":
		if rule.Detect = r.number(v, where+".detect", percentMost); rule.Detect == 0 && r.Faults() == 0 {
			r.Fault(v, "%s.detect: want the smallest loss in points that must not go unnoticed, such as 3", where)
		}
	case "against":
		if rule.Against = v.Value; rule.Against != Last && rule.Against != Release {
			r.Fault(v, "%s.against: want %s or %s", where, Last, Release)
		}
	case "significance":
		rule.Significance = r.number(v, where+".significance", 0.5)
	}
}

// Each and EachGroup are the targets that mean every category and every group,
// and ButMemory is the overall without memory, whose few scenarios hide losses
// elsewhere.
const (
	Each      = "categories"
	EachGroup = "groups"
	ButMemory = "overall_without_memory"
)

// baselines reads the runs to compare with. A path is relative to the gate file.
func (r *reader) baselines(n *yaml.Node, c *Config) {
	r.Known(n, "baselines", []string{Last, Release}, func(name string, _, v *yaml.Node) {
		if v.Kind != yaml.ScalarNode || v.Value == "" {
			r.Fault(v, "baselines.%s: want the path of a run", name)
			return
		}
		path := filepath.FromSlash(v.Value)
		if !filepath.IsAbs(path) {
			path = filepath.Join(filepath.Dir(r.file), path)
		}
		if name == Last {
			c.Last = path
		} else {
			c.Release = path
		}
	})
}

// regressions reads a rule for each target, or a list of rules.
func (r *reader) regressions(n *yaml.Node) (out []Rule) {
	r.Known(n, "regressions", append([]string{Each, EachGroup, ButMemory}, r.accuracies()...), func(target string, k, v *yaml.Node) {
		if v.Kind != yaml.SequenceNode {
			out = append(out, r.regression(target, k, v))
			return
		}
		for _, one := range v.Content {
			out = append(out, r.regression(target, one, one))
		}
	})
	return out
}

func (r *reader) regression(target string, k, v *yaml.Node) Rule {
	rule := Rule{Target: target, On: r.on, MinCases: r.minCases, Against: Last, Line: k.Line}
	where := "regressions." + target
	given := map[string]bool{}
	r.Known(v, where, []string{"points", "significance", "on", "min_cases", "detect", "measure", "against"}, func(name string, _, v *yaml.Node) {
		given[name] = true
		r.option(&rule, name, v, where)
	})
	switch {
	case v.Kind != yaml.MappingNode:
	case given["points"] && given["significance"], !given["points"] && !given["significance"] && !given["detect"]:
		r.Fault(k, "%s: give detect (the smallest loss that must not go unnoticed), significance (the level at which no loss is allowed) or points with on: interval (the loss that is allowed)", where)
	case given["significance"] && rule.Significance == 0:
		r.Fault(k, "%s: significance must be above 0, such as 0.05", where)
	case given["points"] && given["detect"], !given["points"] && given["on"]:
		r.Fault(k, "%s: on goes with points, detect with significance", where)
	case given["points"] && rule.On == Estimate:
		r.Fault(k, "%s: points on the estimate would fail 40%% of equal models at 200 cases: use detect, significance, or on: interval", where)
	case given["detect"] && !given["significance"]:
		rule.Significance = Level
	}
	return rule
}

func (r *reader) ids(n *yaml.Node) (out []string) {
	if n.Kind != yaml.SequenceNode {
		r.Fault(n, "required: want a list of case ids")
		return nil
	}
	given := map[string]bool{}
	for _, item := range n.Content {
		id := strings.TrimSpace(item.Value)
		switch {
		case item.Kind != yaml.ScalarNode || id == "":
			r.Fault(item, "required: want case ids such as simple_python_0")
		case given[id]:
			r.Fault(item, "required: %s is given twice", say.Plain(id, 80))
		default:
			given[id] = true
			out = append(out, id)
		}
	}
	return out
}
