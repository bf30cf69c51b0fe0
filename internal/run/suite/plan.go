package suite

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gobfcl/bfcl/adapters"
	"github.com/gobfcl/bfcl/adapters/agent"
	"github.com/gobfcl/bfcl/fixtures"
	"github.com/gobfcl/bfcl/internal/dataset/ownsuite"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/misuse"
	"github.com/gobfcl/bfcl/internal/model/catalog"
	"github.com/gobfcl/bfcl/internal/option"
	"github.com/gobfcl/bfcl/internal/pose/completion"
	"github.com/gobfcl/bfcl/internal/record"
	"github.com/gobfcl/bfcl/internal/say"
	"github.com/gobfcl/bfcl/internal/version"
	"github.com/gobfcl/bfcl/internal/world/sim/memory"
	"github.com/gobfcl/bfcl/internal/world/web"
)

// Options are the options of a run, as the flags state them.
type Options = option.Options

// A Plan is a run as data: which cases are to be asked of which model, and how.
// Making a plan has no side effects.
type Plan struct {
	*Selection
	// Model is what is asked.
	Model Model
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
	// Notes are remarks for the user, such as categories that are left out.
	Notes []string
	// Looked has what was sent before the run to look at its server; nil notes
	// nothing.
	Looked *record.Ledger

	options Options
	// given are the options as arguments, before they are divided by shards.
	given []string
	// connections is how many connections there is room for; 0 is no limit.
	connections int
	// part reports whether go test's -run or -skip left cases out.
	part bool
	// begun reports whether the run continues one, unsure whether that was cut
	// short before it was known whether its server cuts prompts, and idle whether
	// it has nothing left to ask.
	begun, unsure, idle bool
}

// NewPlan returns the plan of the run that the options ask for, or an error if
// it cannot be run: wrong usage, unless it is about data or a folder that the run
// cannot go on from.
func NewPlan(o Options) (*Plan, error) {
	if _, err := catalog.LoadEnv(filepath.Join(o.Root, ".env")); err != nil { // which never overrides the environment
		return nil, err
	}
	return plan(o, nil, false)
}

// PlanOf is NewPlan for a model that the caller brings, under the name in the
// options. kind says how it is opened and asked; if it is nil, the model is the
// one that the options name. PlanOf does not read .env.
func PlanOf(o Options, kind *adapters.Kind) (*Plan, error) { return plan(o, kind, false) }

// PlanPreview is NewPlan for a model whose requests are shown and not sent: it
// needs no key, and no build tag.
func PlanPreview(o Options) (*Plan, error) { return plan(o, nil, true) }

func plan(o Options, kind *adapters.Kind, keyless bool) (*Plan, error) {
	p, err := newPlan(o, kind, keyless)
	return p, marked(err)
}

// marked marks an error before the run as wrong usage, unless it is about data or a
// folder that the run cannot go on from.
func marked(err error) error {
	if errors.As(err, new(*fixtures.FormatError)) || errors.As(err, new(*Refusal)) {
		return err
	}
	return misuse.Mark(err)
}

func newPlan(o Options, kind *adapters.Kind, keyless bool) (*Plan, error) {
	if err := o.Check(); err != nil {
		return nil, err
	}
	m, err := modelOf(o, kind)
	if err == nil && !keyless {
		err = m.missing
	}
	if err != nil {
		return nil, err
	}
	part, err := ParseShard(o.Shard)
	if err != nil {
		return nil, fmt.Errorf("-shard: %w", err)
	}
	p := &Plan{Model: m, Run: &record.Run{}, given: flagsOf(o)}
	o = budgets(o, &m.Access.Entry, part)
	if o.Concurrency = cmp.Or(o.Concurrency, m.Access.Entry.Concurrency, m.Kind.Concurrency); o.Concurrency < 1 {
		return nil, fmt.Errorf("-concurrency must be at least 1, not %d", o.Concurrency)
	}
	p.options = o
	if err := p.Model.readKey(keyless); err != nil {
		return nil, err
	}
	if p.Settings, err = p.Model.settings(o); err != nil {
		return nil, err
	}
	embedder, err := web.OpenEmbedder(o.Embedder, os.Getenv)
	if err != nil {
		return nil, err
	}
	if err := embedder.Close(); err != nil {
		return nil, err
	}
	if o.MaxCost > 0 && !p.Model.Access.Entry.Prices.Known() {
		return nil, fmt.Errorf("-max-cost needs the model's prices, and none are known for %q at this server: set them in models.yaml", o.Model)
	}
	for _, step := range []func() error{func() error { return p.choose(part) }, p.fit, p.check, p.state} {
		if err := step(); err != nil {
			return nil, err
		}
	}
	return p, nil
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
	if err := Check(cmp.Or(o.Exec, Replay), execFiles(o)); err != nil {
		return err
	}
	skipped := map[string][]string{}
	p.Selection, err = selectFor(dataset, o.Categories, ids, p.Settings.Mode, func(cat *eval.Category) error {
		names, note, err := p.lacks(dataset, cat)
		if names != nil {
			skipped[cat.Name], p.Notes = names, append(p.Notes, note)
		}
		return err
	})
	if err != nil {
		return err
	}
	p.Trials, p.choice = o.Trials, o.Chosen
	if slices.Sort(p.Notes); ids != "" && !strings.ContainsAny(ids, "*?") { // each id was found in another category
		p.Notes = nil
	} else if len(skipped) > 0 {
		p.Run.Skipped = skipped
	}
	if p.Run.Sample, err = p.sample(o); err != nil {
		return err
	}
	if err := p.chooseTests(); err != nil {
		return err
	}
	p.Divide(part)
	p.Asked = p.chosen()
	return nil
}

// lacks returns why a category cannot be asked with the given flags: the names
// of the variables or flags that it lacks, and a note about them.
func (p *Plan) lacks(d *fixtures.Dataset, cat *eval.Category) (names []string, note string, err error) {
	o := p.options
	switch {
	case cat.Web && (p.Model.Whole || webOptions(o, d).Search != ""): // recorded answers, and the oracle's, need no web
		return nil, "", nil
	case cat.Web:
		note = fmt.Sprintf("category %q is skipped: -search is not set; choose what to search, as in -search=serpapi, or leave the category out with -search=none", cat.Name)
		if o.Search == noSearch {
			note = fmt.Sprintf("category %q is left out because of -search=none", cat.Name)
		}
		return []string{"-search"}, note, fmt.Errorf("category %q searches the web: choose one with -search=%s, -search=%s<address> or -search=%s<file>; -search=none leaves it out", cat.Name, web.SerpAPI, web.SearXNG, web.Replay)
	case !cat.Executes || o.Exec != Live && o.Exec != Record:
		return nil, "", nil
	}
	cases, err := d.Cases(cat)
	if err != nil {
		return nil, "", err
	}
	if names, err = New(context.Background(), d, nil).missingKeys(cases); len(names) == 0 {
		return nil, "", err
	}
	list := strings.Join(names, ", ")
	return names, fmt.Sprintf("category %q is skipped: %s is not set", cat.Name, list), fmt.Errorf("category %q calls APIs that need keys: set %s, or use -api=replay", cat.Name, list)
}

// Webless reports whether categories were left out because -search is not set.
// The run is incomplete then, unlike with -search=none.
func (p *Plan) Webless() bool {
	for _, missing := range p.Run.Skipped {
		if slices.Contains(missing, "-search") {
			return p.options.Search != noSearch
		}
	}
	return false
}

// ErrNoneChosen is why a run does not begin that would ask nothing.
var ErrNoneChosen = errors.New("-run and -skip choose none")

// partDir returns the folder of a run whose cases go test's -run chooses.
func partDir(o Options) string {
	o.Model += "-part"
	return RunDir(o)
}

// chooseTests keeps the cases that go test's -run and -skip choose. The run then
// states their ids, as it does for -ids, and lies beside the whole run. A run
// that is continued stays what it was, and only the chosen cases are asked.
func (p *Plan) chooseTests() error {
	before, kept := p.Cases(), p.chosen()
	ids := idsOf(kept)
	switch {
	case len(ids) == 0 && before > 0:
		return misuse.Mark(fmt.Errorf("%w of %s", ErrNoneChosen, say.Cases(before)))
	case len(ids) == before:
		return nil
	}
	dir := cmp.Or(p.options.RunDir, partDir(p.options))
	if have, err := record.ReadRun(dir); p.options.Resume && (err != nil || !slices.Equal(have.IDs, ids)) {
		return nil
	}
	p.Parts, p.IDs, p.Run.Sample, p.part = kept, ids, nil, true
	p.given = slices.DeleteFunc(p.given, func(arg string) bool {
		return strings.HasPrefix(arg, "-ids=") || strings.HasPrefix(arg, "-sample=")
	})
	p.given = append(p.given, "-ids="+strings.Join(ids, ","))
	if !p.Model.Kind.Unwritten {
		p.options.RunDir = dir
	}
	return nil
}

// fit sets how many cases are in flight: as many as are asked for, or as the
// limit of open files allows, which a note then says. It is an error if that is
// none.
func (p *Plan) fit() error {
	m, asked := &p.Model, p.options.Concurrency
	p.Concurrency = asked
	if n, limit, least := m.room(p.options); limit > 0 {
		if p.connections, p.Concurrency = n, min(asked, n); n < 1 {
			return &Refusal{fmt.Errorf("this process may open %d files (ulimit -n), and a run needs %d: raise the limit", limit, least)}
		}
		if n < asked {
			p.note(fmt.Sprintf("this process may open %d files (ulimit -n): at most %s in flight, not %d", limit, say.Count(n, "case is", "cases are"), asked))
		}
	}
	if p.Places = p.Concurrency; m.Kind.Remote && p.Places != m.Kind.Concurrency {
		const least = 16
		p.Places += p.Places/2 + least
	}
	return nil
}

// verbatim reports whether the model sees the tools as the suite's owner wrote
// them.
func (p *Plan) verbatim() bool {
	own := p.Dataset.Own()
	return own != nil && own.Send == ownsuite.Verbatim && p.Model.Kind.Chat
}

// check returns the error that opening the adapter would return.
func (p *Plan) check() error {
	if p.verbatim() && p.Model.template == completion.Upstream {
		if err := completion.Verbatim(p.Settings.Dialect); err != nil {
			return err
		}
	}
	if p.Model.Kind.Check == nil {
		return nil
	}
	wording, err := p.Dataset.Wording()
	if err != nil {
		return err
	}
	cfg := p.adapterConfig()
	cfg.Wording = wording.Tools
	return p.Model.Kind.Check(cfg)
}

// adapterConfig returns the configuration of the model's adapter, as far as a
// plan knows it.
func (p *Plan) adapterConfig() adapters.Config {
	return adapters.Config{
		Hidden: p.hidden(), Access: p.Model.Access, APIVersion: p.options.APIVersion,
		Concurrency: p.Concurrency, Timeout: p.Model.timeout(p.options),
		Settings: p.Settings, Reread: p.options.Read == readDialect, ChatTemplate: p.Model.template,
		Texts: func() (completion.Texts, error) { return p.Dataset.HandlerTexts(p.options.Data) },
	}
}

// hidden returns the folders that an agent must not read: those with possible
// answers, and the results of this run and of others beside it.
func (p *Plan) hidden() []string {
	o := p.options
	out := []string{fixtures.DataDir(o.Data), o.RunDir}
	if info, err := os.Stat(o.Dataset); err == nil && info.IsDir() {
		out = append(out, o.Dataset)
	}
	if all := filepath.Dir(o.RunDir); o.RunDir != "" && filepath.Base(all) == "results" {
		out = append(out, all)
	}
	return out
}

// state sets the content of run.json, and the run folder.
func (p *Plan) state() error {
	o, m := p.options, &p.Model
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
	if m.Kind.Chat {
		wording, err := p.Dataset.Wording()
		if err != nil {
			return err
		}
		p.Run.Wording = wording.Digest
	}
	if prices := m.Access.Entry.Prices; prices.Known() {
		p.Run.Prices = &record.Prices{Input: *prices.Input, Output: *prices.Output, Priced: prices.Priced}
	}
	if name := p.Dataset.Name; p.Dataset.IsFolder() && !filepath.IsAbs(name) {
		p.Run.DatasetDir = absolute(name)
	}
	if o.Data != "" {
		p.Run.DataDir = absolute(o.Data)
	}
	if p.Dir = o.RunDir; p.Dir == "" && !m.Kind.Unwritten { // answers that are not worth recording
		p.Dir = RunDir(o)
	}
	switch {
	case p.Dir == "" && o.Resume:
		return errors.New("-resume needs a run folder: set -run-dir")
	case o.Resume:
		_, err = p.resume()
	case p.part && p.Dir != "": // a part takes the place of an older part only
		if have, wrong := record.ReadRun(p.Dir); wrong == nil && len(have.IDs) == 0 {
			err = misuse.Errorf("-run and -skip choose a part of the cases, and %s holds a whole run, which a part does not displace: leave -run-dir out, name another folder, or continue that run with -resume", p.Dir)
		}
	}
	if p.Run.Job == "" && !p.Shard.Whole() {
		p.Run.Job = JobOf(os.Getenv)
	}
	return err
}

// parameters returns what run.json says about how the model was asked, and
// about what the calls of all shards' categories use.
func (p *Plan) parameters() map[string]string {
	o, m, e, out := p.options, &p.Model, p.Model.Access.Entry, map[string]string{}
	set := func(name, value string) {
		if value != "" {
			out[name] = value
		}
	}
	some := func(has func(*eval.Category) bool) bool { return slices.ContainsFunc(p.Categories(), has) }
	if m.Kind.Remote {
		set("adapter", e.Adapter)
		set("id", e.ID)
		set("base_url", e.BaseURL)
		set("api_version", o.APIVersion)
		set("reasoning_effort", e.Parameters.ReasoningEffort)
		if t := e.Parameters.Temperature; t != nil {
			set("temperature", fmt.Sprint(*t))
		}
		if n := e.Parameters.MaxTokens; n != 0 {
			set("max_tokens", fmt.Sprint(n))
		}
		if len(e.Extra) > 0 {
			set("extra", fmt.Sprint(e.Extra))
		}
		set("headers", m.Access.HeaderMarks())
		if o.Read == readDialect {
			set("read", o.Read)
		}
		set("chat_template", completion.Name(m.template))
		if e.Wire.Streams() {
			set("stream", "yes")
		}
		if r := e.Wire.RepeatReasoning; r != nil {
			set("repeat_reasoning", fmt.Sprint(*r))
		}
		if e.Wire.Strict != nil {
			set("strict", fmt.Sprint(*e.Wire.Strict))
		}
		set("tool_style", string(e.Wire.ToolStyle))
		set("functions_as", e.Wire.FunctionsAs)
		set("max_tokens_field", e.Wire.MaxTokensField)
	}
	files := strings.Join(execFiles(o), ",")
	if some(func(c *eval.Category) bool { return c.Executes }) && o.Exec != "" && (o.Exec != Replay || files != "") {
		set("api", o.Exec) // scoring judges the answers again
		set(ReplayParameter, files)
	}
	if m.Kind.Agent {
		set("agent_calls", strconv.Itoa(cmp.Or(o.AgentCalls, agentCalls)))
		set("agent_time", cmp.Or(o.AgentTime, agentTime).String())
		exposed := "the agent is not a program that this one starts"
		if m.Kind.Argument == "program" {
			exposed = agent.Exposed(e.ID, p.hidden())
		}
		set("not_isolated", exposed)
	}
	if some(func(c *eval.Category) bool { return c.Memory == memory.VectorClass }) {
		out["embedder"] = web.EmbedderName(o.Embedder)
	}
	if some(func(c *eval.Category) bool { return c.Web }) {
		out["search"] = web.Described(webOptions(o, p.Dataset).Search)
		set("allow_host", o.AllowHosts)
	}
	if chars := e.Prices.CharsPerToken; chars != nil && *chars > 0 { // token counts are estimates
		out["tokens_estimated"] = fmt.Sprintf("%g characters a token, where the reply states none", *chars)
	}
	if p.verbatim() {
		out["send"] = string(ownsuite.Verbatim)
	}
	if len(out) == 0 {
		return nil
	}
	return out
}

// note adds a remark for the user, once.
func (p *Plan) note(text string) {
	if text != "" && !slices.Contains(p.Notes, text) {
		p.Notes = append(p.Notes, text)
	}
}

func absolute(name string) string {
	if abs, err := filepath.Abs(name); err == nil {
		return abs
	}
	return name
}
