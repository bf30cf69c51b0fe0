package suite

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/gobfcl/bfcl/adapters"
	"github.com/gobfcl/bfcl/fixtures"
	"github.com/gobfcl/bfcl/internal/dataset/ownsuite"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/model/catalog"
	"github.com/gobfcl/bfcl/internal/option"
	"github.com/gobfcl/bfcl/internal/pose/completion"
	"github.com/gobfcl/bfcl/internal/record"
	"github.com/gobfcl/bfcl/internal/version"
	"github.com/gobfcl/bfcl/internal/world/web"
)

// Options are the options of a run, as the flags state them.
type Options = option.Options

// A Plan is a run as data: which cases are to be asked of which model, and how.
// Making a plan has no side effects.
type Plan struct {
	*Selection
	// Run is the content that run.json will have.
	Run *record.Run
	// Settings are the settings for reading answers. They lack the executor,
	// which only an open suite has.
	Settings eval.Settings
	// Dir is the run folder; "" if nothing is written.
	Dir string
	// Concurrency is the number of requests in flight.
	Concurrency int
	// Places is the number of cases that are worked on at once. It is larger
	// than Concurrency if the transport limits the requests in flight: the next
	// request is then ready when an answer comes, and reading an answer does
	// not delay sending.
	Places int
	// Asked are the cases that this process asks: those of Parts, or fewer of
	// a run that is continued if go test's -run chooses among them.
	Asked []Part
	// Notes are remarks for the user, such as categories that are left out.
	Notes []string

	options Options
	// unsure is engine.Engine's Unsure.
	unsure bool
	// idle says that a run is continued that has nothing left to ask.
	idle bool
	// given are the options as arguments, before they are divided by shards.
	given   []string
	sampled *record.Sample
	// part reports whether go test's -run or -skip left cases out.
	part bool
	// begun reports whether the run continues one.
	begun bool
	// settled are the categories whose settings run.json states, of all shards.
	settled []*eval.Category
	model   model
	access  catalog.Access
	// connections is how many connections there is room for; 0 is no limit.
	connections int
	// whole reports whether the model answers conversations in one piece.
	whole bool
}

// NewPlan returns the plan of the run that the options ask for, or an error if
// it cannot be run. A model whose build tag is missing can be planned, but Open
// needs a build with the tag.
func NewPlan(o Options) (*Plan, error) {
	if _, err := catalog.LoadEnv(filepath.Join(o.Root, ".env")); err != nil { // which never overrides the environment
		return nil, err
	}
	return PlanOf(o, nil)
}

// PlanOf is NewPlan for a model that the caller brings, under the name in the
// options. kind says how it is opened and asked; if it is nil, the model is the
// one that the options name. PlanOf does not read .env.
func PlanOf(o Options, kind *adapters.Kind) (*Plan, error) {
	if err := o.Check(); err != nil {
		return nil, err
	}
	m, err := modelOf(o, kind)
	if err != nil {
		return nil, err
	}
	return plan(o, m)
}

// plan returns the plan of asking a model.
func plan(o Options, m model) (*Plan, error) {
	part, err := ParseShard(o.Shard)
	if err != nil {
		return nil, fmt.Errorf("-shard: %w", err)
	}
	given := flagsOf(o)
	o = budgets(o, m, part)
	if o.Concurrency = m.concurrency(o); o.Concurrency < 1 {
		return nil, fmt.Errorf("-concurrency must be at least 1, not %d", o.Concurrency)
	}
	p := &Plan{Concurrency: m.inFlight(o), Places: m.places(o), options: o, given: given, model: m}
	p.connections, _ = m.room(o)
	if err := p.read(); err != nil {
		return nil, err
	}
	if err := p.choose(part); err != nil {
		return nil, err
	}
	if err := p.fit(); err != nil {
		return nil, err
	}
	if err := p.checkSend(); err != nil {
		return nil, err
	}
	if err := p.checkAdapter(); err != nil {
		return nil, err
	}
	return p, p.state()
}

// read reads the model's key, if it needs one, and its answers, if they are
// recorded.
func (p *Plan) read() (err error) {
	p.access = catalog.Access{Entry: p.model.entry}
	if p.model.kind.Remote {
		env := catalog.Process()
		if p.model.keyless {
			env = withKeys(env)
		}
		if p.access, err = p.model.entry.Access(env); err != nil {
			return err
		}
	}
	if p.Settings, p.whole, err = p.model.reading(p.options); err != nil {
		return err
	}
	if err := checkEmbedder(p.options); err != nil {
		return err
	}
	return p.price()
}

// price checks that a budget can be kept to.
func (p *Plan) price() error {
	if p.options.MaxCost > 0 && !p.access.Entry.Prices.Known() {
		return fmt.Errorf("-max-cost needs the model's prices, and none are known for %q at this server: set them in models.yaml", p.options.Model)
	}
	return nil
}

// choose selects the cases.
func (p *Plan) choose(part Shard) error {
	o := p.options
	dataset, err := fixtures.Open(o.Dataset, o.Data)
	if err != nil {
		return err
	}
	ids, err := ReadIDs(o.IDs)
	if err != nil {
		return err
	}
	if err := web.Check(webOptions(o, dataset)); err != nil {
		return err
	}
	if err := Check(execWay(o), execFiles(o)); err != nil {
		return err
	}
	left := leftOut{}
	if p.Selection, err = selectFor(dataset, o.Categories, ids, p.Settings.Mode, p.objection(dataset, left)); err != nil {
		return err
	}
	if ids != "" && !strings.ContainsAny(ids, "*?") {
		clear(left) // each id was found in another category
	}
	if err := p.sample(o); err != nil {
		return err
	}
	if err := p.chooseTests(); err != nil {
		return err
	}
	p.Divide(part)
	p.Asked = p.chosen()
	p.settled = p.Categories()
	p.Run = &record.Run{Skipped: left.variables(), Sample: p.sampled}
	p.Notes = left.notes()
	return nil
}

// state sets the content of run.json.
func (p *Plan) state() error {
	o := p.options
	digest, err := p.Dataset.Digest()
	if err != nil {
		return err
	}
	data, err := p.Dataset.Origin()
	if err != nil {
		return err
	}
	*p.Run = record.Run{
		ID: record.NewID(), Job: o.Job,
		Model: o.Model, Mode: p.Settings.Mode, UnderscoreToDot: p.Settings.UnderscoreToDot, Dialect: p.Settings.Dialect,
		Parameters: p.parameters(), Flags: p.given, Dataset: p.Dataset.Name, Digest: digest, Data: data,
		Categories: p.Names(), Skipped: p.Run.Skipped, IDs: p.IDs, Sample: p.Run.Sample, Shard: p.Shard.String(), Trials: o.Trials,
		Concurrency: p.Concurrency, Version: version.String(), Go: runtime.Version(), Started: time.Now().UTC(),
	}
	if p.model.kind.Chat {
		wording, err := p.Dataset.Wording()
		if err != nil {
			return err
		}
		p.Run.Wording = wording.Digest
	}
	if prices := p.access.Entry.Prices; prices.Known() {
		p.Run.Prices = &record.Prices{Input: *prices.Input, Output: *prices.Output, Priced: prices.Priced}
	}
	if name := p.Dataset.Name; p.Dataset.IsFolder() && !filepath.IsAbs(name) {
		p.Run.DatasetDir = absolute(name)
	}
	if o.Data != "" {
		p.Run.DataDir = absolute(o.Data)
	}
	if p.Dir = runDir(o, p.model.kind); p.Dir == "" && o.Resume {
		return errors.New("-resume needs a run folder: set -run-dir")
	}
	if o.Resume {
		_, err = p.resume()
	} else {
		err = p.besideOthers()
	}
	if p.Run.Job == "" && !p.Shard.Whole() {
		p.Run.Job = JobOf(os.Getenv)
	}
	return err
}

// estimateParameter is the parameter in run.json that says that token counts
// are estimates.
const estimateParameter = "tokens_estimated"

// parameters returns what run.json says about how the model was asked, and
// about what its calls used.
func (p *Plan) parameters() map[string]string {
	out := p.model.parameters(p.options, p.access)
	p.executed(out)
	p.agented(out)
	p.embedded(out)
	p.searched(out)
	if chars := p.access.Entry.Prices.CharsPerToken; chars != nil && *chars > 0 {
		out[estimateParameter] = fmt.Sprintf("%g characters a token, where the reply states none", *chars)
	}
	if p.verbatim() {
		out["send"] = string(ownsuite.Verbatim)
	}
	if len(out) == 0 {
		return nil
	}
	return out
}

// verbatim reports whether the model sees the tools as the suite's owner wrote
// them.
func (p *Plan) verbatim() bool {
	own := p.Dataset.Own()
	return own != nil && own.Send == ownsuite.Verbatim && p.model.kind.Chat
}

// checkSend returns an error if the model would not be sent the tools as the
// suite says.
func (p *Plan) checkSend() error {
	if !p.verbatim() || p.model.template != completion.Upstream {
		return nil
	}
	return completion.Verbatim(p.Settings.Dialect)
}

// modelName returns the model's name at its provider, or else the name in the
// options.
func (p *Plan) modelName() string {
	if p.access.Entry.ID != "" {
		return p.access.Entry.ID
	}
	return p.options.Model
}

// ModelID returns the model's name at its provider.
func (p *Plan) ModelID() string { return p.modelName() }

// Slow reports whether the model is asked outside this process, so that a run
// may take long.
func (p *Plan) Slow() bool { return p.model.kind.Chat }
