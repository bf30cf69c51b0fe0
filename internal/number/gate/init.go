package gate

import (
	_ "embed"
	"fmt"
	"math"
	"slices"
	"strings"
	"text/template"

	"github.com/gobfcl/bfcl/fixtures"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/number/score"
	"github.com/gobfcl/bfcl/internal/number/tally"
	"github.com/gobfcl/bfcl/internal/option"
	"github.com/gobfcl/bfcl/internal/run/suite"
	"github.com/gobfcl/bfcl/internal/say"
)

//go:embed example.yaml.tmpl
var example string

var exampleTemplate = template.Must(template.New("gate.yaml").Parse(example))

// scenario is the unit of memory's questions, of which there are few.
const scenario = "scenario"

// Template returns a gate file for n cases of a dataset's categories, 0 for all.
// A model equal to its baseline passes it, and each part that counts has a rule.
// Its comments say what came of simulated models.
func Template(dataset, data, categories string, n int) (string, error) {
	sel, err := chosen(dataset, data, categories, n)
	if err != nil {
		return "", option.MarkMisuse(err)
	}
	p := &proposal{Dataset: say.Printable(dataset, longestName), Cases: sel.Cases(), Looks: looks, Pairs: equals, Fewer: worses, simulation: Simulate(sel)}
	for _, part := range sel.Parts { // of which the largest has enough
		p.MinCases = min(DefaultMinCases, max(p.MinCases, len(part.Cases)))
	}
	p.name(sel)
	if err := p.size(); err != nil {
		return "", err
	}
	if err := p.try(); err != nil {
		return "", err
	}
	return p.text(), nil
}

// chosen selects the cases that count in the overall, or a sample of them.
func chosen(dataset, data, categories string, n int) (*suite.Selection, error) {
	d, err := fixtures.Open(dataset, data)
	if err != nil {
		return nil, fmt.Errorf("--dataset: %w", err)
	}
	sel, err := suite.Select(d, categories, "")
	if err != nil {
		return nil, err
	}
	counts := categoriesOf(tally.LayoutOf(d), "overall")
	sel.Parts = slices.DeleteFunc(slices.Clone(sel.Parts), func(p suite.Part) bool { return !slices.Contains(counts, p.Category.Name) })
	switch {
	case len(sel.Parts) == 0:
		return nil, fmt.Errorf("--categories: none of %q counts in the overall of %s", categories, dataset)
	case n != 0 && n < len(sel.Parts):
		return nil, fmt.Errorf("--cases must be %d or more, one of each category", len(sel.Parts))
	case n > sel.Cases():
		return nil, fmt.Errorf("--cases: there are only %d", sel.Cases())
	case n == 0 || n == sel.Cases():
		return sel, nil
	}
	spec := suite.Spec{Cases: n}
	if d.Own() != nil {
		spec.By = "size"
	}
	ids, err := spec.Choose(sel.Parts, 1)
	if err != nil {
		return nil, err
	}
	return suite.Select(d, strings.Join(sel.Names(), ","), strings.Join(ids, ","))
}

const (
	looks = 20 // of the comment
	// So many pairs of runs are simulated for the losses that the file names, and
	// for the odds of equal models and of worse ones.
	sizing, equals, worses = 50, 100, 30
	// shared is the level of three to five rules, of which then no more equal
	// models break one than would break one at Level, twice.
	shared = 0.03
)

// A proposal is a gate file in the making.
type proposal struct {
	Dataset                string
	Cases, Looks, MinCases int
	// Losses are the rules about losses, and Level their level of significance.
	Losses []proposedLoss
	Level  float64
	// Odds are what came of models, the equally good one first.
	Odds []proposedOdds
	// Unseen says which falls no rule sees.
	Unseen       []string
	Pairs, Fewer int

	simulation *Simulation
}

type proposedLoss struct {
	Target string
	// Detect is the loss that must not go unnoticed; 0 if none can be named.
	Detect float64
}

type proposedOdds struct {
	Model                     string
	Passes, Fails, Undecideds string
}

// name names a rule for every part: the overall would hide losses of others
// behind memory's few scenarios, and those of memory behind the others.
func (p *proposal) name(sel *suite.Selection) {
	memory, groups := 0, 0
	for _, part := range sel.Parts {
		if eval.Unit(part.Category) == scenario {
			memory++
		}
	}
	p.Losses = []proposedLoss{{Target: "overall"}}
	if memory > 0 && memory < len(sel.Parts) {
		p.Losses = append(p.Losses, proposedLoss{Target: ButMemory}, proposedLoss{Target: "memory"})
	}
	tally.LayoutOf(sel.Dataset).Walk(func(n *score.Node, _ int, counts bool) {
		if counts && len(n.Parts) > 0 {
			groups++
		}
	})
	if groups > 0 {
		p.Losses = append(p.Losses, proposedLoss{Target: EachGroup})
	}
	p.Losses = append(p.Losses, proposedLoss{Target: Each})
	if p.Level = Level; len(p.Losses) > 2 {
		p.Level = shared
	}
}

// rules returns the rules of the file as it is.
func (p *proposal) rules() (*Config, error) {
	return Parse("gate.yaml", []byte(p.text()))
}

// size sets which losses must not go unnoticed: so large that equally good models
// are hardly ever undecided and, overall, that runs may differ on twice as many
// cases.
func (p *proposal) size() error {
	const most, room, rare = 100, math.Sqrt2, 1.1
	rules, err := p.rules()
	if err != nil {
		return err
	}
	decisions, err := p.simulation.All(rules, sizing, Equally)
	if err != nil {
		return err
	}
	for i := range p.Losses {
		loss, finds, clear := &p.Losses[i], []float64(nil), []float64(nil)
		for _, d := range decisions {
			for _, c := range d.Rules {
				if c.Name == loss.Target && c.Outcome != Failed {
					finds, clear = append(finds, c.finds), append(clear, c.clear)
				}
			}
		}
		if len(clear) == 0 {
			continue // categories and groups
		}
		slices.Sort(finds)
		detect := rare * slices.Max(clear)
		if loss.Target != "memory" {
			detect = max(detect, room*finds[len(finds)/2])
		}
		if detect = math.Ceil(2*detect) / 2; detect < most {
			loss.Detect = detect
		}
	}
	return nil
}

// try simulates what becomes of equally good models and of worse ones.
func (p *proposal) try() error {
	rules, err := p.rules()
	if err != nil {
		return err
	}
	const all, width = 100, 76
	for _, worse := range []float64{0, 5, 10, 20} {
		n, name := equals, "as good"
		if worse > 0 {
			n, name = worses, fmt.Sprintf("%g points worse", worse)
		}
		decisions, err := p.simulation.All(rules, n, func(*eval.Category, *eval.Case) float64 { return worse / all })
		if err != nil {
			return err
		}
		odds := map[Outcome]int{}
		for _, d := range decisions {
			odds[d.Outcome]++
		}
		share := func(o Outcome) string { return fmt.Sprintf("%3.0f%%", all*float64(odds[o])/float64(n)) }
		p.Odds = append(p.Odds, proposedOdds{fmt.Sprintf("%-15s", name), share(Passed), share(Failed), share(Undecided)})
		if worse == 0 {
			p.Unseen = say.Wrap(Unseen(median(decisions)), width)
		}
	}
	return nil
}

// median returns the checks of decisions with the falls that half of them may
// not see.
func median(decisions []*Decision) (out []Check) {
	falls := map[string][]float64{}
	for _, d := range decisions {
		for _, c := range d.Rules {
			falls[c.Name] = append(falls[c.Name], c.Unseen)
		}
	}
	for _, c := range decisions[0].Rules {
		list := falls[c.Name]
		slices.Sort(list)
		c.Outcome, c.Unseen = Passed, list[len(list)/2]
		out = append(out, c)
	}
	return out
}

func (p *proposal) text() string {
	var out strings.Builder
	if err := exampleTemplate.Execute(&out, p); err != nil {
		panic(err)
	}
	return out.String()
}
