package suite

import (
	"cmp"
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
	"github.com/gobfcl/bfcl/internal/model/catalog"
	"github.com/gobfcl/bfcl/internal/option"
	"github.com/gobfcl/bfcl/internal/pose/completion"
	"github.com/gobfcl/bfcl/internal/record"
	"github.com/gobfcl/bfcl/internal/version"
	"github.com/gobfcl/bfcl/internal/world/sim/memory"
	"github.com/gobfcl/bfcl/internal/world/web"
)

// Options are the options of a run, as the flags state them.
type Options = option.Options

// A Plan is a run as data. It ties three values that do not know of each other:
// the cases that are asked, the model, and the folder that the run is written to.
// Making a plan has no side effects.
type Plan struct {
	*Selection
	*Folder
	// Model is what is asked.
	Model Model
	// Notes are remarks for the user, such as categories that are left out.
	Notes []string
	// Looked has what was sent before the run to look at its server; nil notes
	// nothing.
	Looked *record.Ledger

	options Options
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

// marked marks an error before the run as wrong usage, unless it is about data or a
// folder that the run cannot go on from.
func marked(err error) error {
	if errors.As(err, new(*fixtures.FormatError)) || errors.As(err, new(*Refusal)) {
		return err
	}
	return option.MarkMisuse(err)
}

func plan(o Options, kind *adapters.Kind, keyless bool) (_ *Plan, err error) {
	defer func() { err = marked(err) }()
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
	flags := slices.DeleteFunc(o.Args(), func(arg string) bool {
		name, _, _ := strings.Cut(strings.TrimPrefix(arg, "-"), "=")
		return slices.Contains(ofTheMoment, name)
	})
	if !part.Whole() { // the catalogue's rates are divided like the user's: the provider counts all shards together
		o.RPM, o.TPM = part.Share(cmp.Or(o.RPM, m.Access.Entry.RPM)), part.Share(cmp.Or(o.TPM, m.Access.Entry.TPM))
		o.MaxCost /= float64(part.Count)
	}
	if o.Concurrency = cmp.Or(o.Concurrency, m.Access.Entry.Concurrency, m.Kind.Concurrency); o.Concurrency < 1 {
		return nil, fmt.Errorf("-concurrency must be at least 1, not %d", o.Concurrency)
	}
	if err := m.readKey(keyless); err != nil {
		return nil, err
	}
	if m.Settings, err = m.settings(o); err != nil {
		return nil, err
	}
	embedder, err := web.OpenEmbedder(o.Embedder, os.Getenv)
	if err != nil {
		return nil, err
	}
	if err := embedder.Close(); err != nil {
		return nil, err
	}
	if o.MaxCost > 0 && !m.Access.Entry.Prices.Known() {
		return nil, fmt.Errorf("-max-cost needs the model's prices, and none are known for %q at this server: set them in models.yaml", o.Model)
	}
	s, err := choose(o, &m, part)
	if err != nil {
		return nil, err
	}
	if s.part {
		flags = slices.DeleteFunc(flags, func(arg string) bool { return strings.HasPrefix(arg, "-ids=") || strings.HasPrefix(arg, "-sample=") })
		flags = append(flags, "-ids="+strings.Join(s.IDs, ","))
		if !m.Kind.Unwritten {
			o.RunDir = partDir(o)
		}
	}
	p := &Plan{Selection: s, Model: m, Notes: s.notes, options: o}
	note, err := p.Model.fit(o)
	if err != nil {
		return nil, err
	}
	p.note(note)
	if err := p.Model.check(s.Dataset, o); err != nil {
		return nil, err
	}
	if err := p.state(flags); err != nil {
		return nil, err
	}
	return p, nil
}

// state sets the run folder, and the content of run.json.
func (p *Plan) state(flags []string) error {
	o, m := p.options, &p.Model
	digest, err := p.Dataset.Digest()
	if err != nil {
		return err
	}
	data, err := p.Dataset.Origin()
	if err != nil {
		return err
	}
	run := &record.Run{
		ID: record.NewID(), Job: o.Job,
		Model: o.Model, Mode: m.Settings.Mode, UnderscoreToDot: m.Settings.UnderscoreToDot, Dialect: m.Settings.Dialect,
		Parameters: parameters(o, m, p.Selection), Flags: flags, Dataset: p.Dataset.Name, Digest: digest, Data: data,
		Categories: p.Names(), Skipped: p.Skipped, IDs: p.IDs, Sample: p.Sample, Shard: p.Shard.String(), Trials: o.Trials,
		Concurrency: m.Concurrency, Version: version.String(), Go: runtime.Version(), Started: time.Now().UTC(),
	}
	if m.Kind.Chat {
		wording, err := p.Dataset.Wording()
		if err != nil {
			return err
		}
		run.Wording = wording.Digest
	}
	if prices := m.Access.Entry.Prices; prices.Known() {
		run.Prices = &record.Prices{Input: *prices.Input, Output: *prices.Output, Priced: prices.Priced}
	}
	if name := p.Dataset.Name; p.Dataset.IsFolder() && !filepath.IsAbs(name) {
		run.DatasetDir = absolute(name)
	}
	if o.Data != "" {
		run.DataDir = absolute(o.Data)
	}
	p.Folder = &Folder{Dir: o.RunDir, Run: run, resume: o.Resume, chat: m.Kind.Chat, job: o.Job, note: p.note}
	if p.Dir == "" && !m.Kind.Unwritten { // answers that are not worth recording
		p.Dir = RunDir(o)
	}
	switch {
	case p.Dir == "" && o.Resume:
		return errors.New("-resume needs a run folder: set -run-dir")
	case o.Resume:
		_, err = p.recall(p.Selection)
	case p.part && p.Dir != "": // a part takes the place of an older part only
		if have, wrong := record.ReadRun(p.Dir); wrong == nil && len(have.IDs) == 0 {
			err = option.Misuse("-run and -skip choose a part of the cases, and %s holds a whole run, which a part does not displace: leave -run-dir out, name another folder, or continue that run with -resume", p.Dir)
		}
	}
	if run.Job == "" && !p.Shard.Whole() {
		run.Job = JobOf(os.Getenv)
	}
	return err
}

// parameters returns what run.json says about how the model was asked, and
// about what the calls of all shards' categories use.
func parameters(o Options, m *Model, s *Selection) map[string]string {
	e, out := m.Access.Entry, map[string]string{}
	set := func(name, value string) {
		if value != "" {
			out[name] = value
		}
	}
	some := func(has func(*eval.Category) bool) bool { return slices.ContainsFunc(s.Categories(), has) }
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
			exposed = agent.Exposed(e.ID, hidden(o))
		}
		set("not_isolated", exposed)
	}
	if some(func(c *eval.Category) bool { return c.Memory == memory.VectorClass }) {
		out["embedder"] = web.EmbedderName(o.Embedder)
	}
	if some(func(c *eval.Category) bool { return c.Web }) {
		out["search"] = web.Described(webOptions(o, s.Dataset).Search)
		set("allow_host", o.AllowHosts)
	}
	if chars := e.Prices.CharsPerToken; chars != nil && *chars > 0 { // token counts are estimates
		out["tokens_estimated"] = fmt.Sprintf("%g characters a token, where the reply states none", *chars)
	}
	if m.verbatim(s.Dataset) {
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
