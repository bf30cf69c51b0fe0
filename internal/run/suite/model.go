package suite

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"strings"
	"time"

	"github.com/gobfcl/bfcl/adapters"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/misuse"
	"github.com/gobfcl/bfcl/internal/model/catalog"
	"github.com/gobfcl/bfcl/internal/model/transport"
	"github.com/gobfcl/bfcl/internal/pose/completion"
	"github.com/gobfcl/bfcl/internal/read/dialect"
	"github.com/gobfcl/bfcl/internal/record"
)

// A model is the model to ask: its entry in the catalogue, overridden by the
// user's flags.
type model struct {
	kind    adapters.Kind
	entry   catalog.Entry
	catalog *catalog.Catalog
	// tag is the build tag of the adapter if it is not in this build, and missing
	// the error that says so. Such a model can be planned and not opened.
	tag     string
	missing error
	// template is the path of the chat template for completions.
	template string
	// keyless is set if the model is never asked, so that a missing key does
	// not matter.
	keyless bool
}

// resolve finds the model that the options name.
func resolve(o Options) (model, error) { return modelOf(o, nil) }

// NoModel is the refusal to run without a model. The oracle's answers pass every
// gate, so it has to be asked for by name. A run that is continued has a model.
func NoModel(o Options) error {
	switch {
	case !o.Resume:
		return misuse.Errorf("no model: name the one to ask with -model, such as -model=openai:ID with the -base-url of its server, or -model=heuristic, a small baseline; `bfcl models` lists more")
	case o.RunDir == "":
		return misuse.Errorf("nothing to resume: name the folder of a run with -run-dir, or its model with -model")
	}
	return unstated(o.RunDir, "")
}

// modelOf returns the caller's model, or the one that the options name if kind
// is nil. The model is the best that is known, even if there is an error.
func modelOf(o Options, kind *adapters.Kind) (m model, err error) {
	if kind == nil && o.Model == "" {
		return m, NoModel(o)
	}
	if m.catalog, err = catalog.Load(catalog.Files(o.Models, catalog.Process())...); err != nil {
		return m, err
	}
	if kind != nil {
		m.kind, m.entry = *kind, catalog.Entry{Name: o.Model, Adapter: kind.Name}
		return m, m.apply(o)
	}
	if m.entry, err = adapters.Resolve(m.catalog, o.Model); err != nil {
		return m, err
	}
	if m.tag = adapters.Tag(m.entry.Adapter); m.tag == "" {
		if m.kind, err = adapters.Find(m.entry); err != nil {
			return m, err
		}
		return m, m.apply(o)
	}
	_, m.missing = adapters.Find(m.entry)
	planned := m.entry
	planned.Adapter = "openai" // which every build has
	if m.kind, err = adapters.Find(planned); err != nil {
		return m, err
	}
	m.kind.Name, m.kind.Open = m.entry.Adapter, nil
	return m, m.apply(o)
}

// Tag returns the build tag that the model needs and this build was built
// without; "" if there is none.
func Tag(o Options) string {
	m, _ := resolve(o)
	return m.tag
}

// apply overrides the catalogue's values with the user's flags.
func (m *model) apply(o Options) error {
	e := &m.entry
	if o.BaseURL == "" {
		*e = e.AtOwnServer(catalog.Process())
	} else {
		*e = e.At(o.BaseURL)
	}
	if o.Temperature.Given {
		e.Parameters.Temperature = &o.Temperature.Value
	}
	if o.MaxTokens.Given {
		e.Parameters.MaxTokens = int(o.MaxTokens.Value)
	}
	if o.Stream {
		e.Wire.Stream = &o.Stream
	}
	if e.Wire.Streams() && !m.kind.Streams {
		return fmt.Errorf("-stream (stream in models.yaml) is for Chat Completions and Anthropic's Messages: the adapter %s does not stream", m.kind.Name)
	}
	if o.ReasoningEffort != "" {
		e.Parameters.ReasoningEffort = o.ReasoningEffort
	}
	e.Headers = maps.Clone(e.Headers)
	for _, header := range o.Headers {
		name, value, ok := strings.Cut(header, ":")
		if name = strings.TrimSpace(name); !ok || name == "" || strings.ContainsAny(name, " \t") {
			return fmt.Errorf(`-header must be "Name: value", one flag per header`)
		}
		e.SetHeader(name, strings.TrimSpace(value))
	}
	if err := errors.Join(m.chooseTemplate(o), m.checkRead(o), m.checkAgent(o)); err != nil {
		return err
	}
	if m.kind.Remote {
		return nil
	}
	for _, flag := range []struct {
		name  string
		given bool
	}{
		{"-base-url", o.BaseURL != ""}, {"-header", len(o.Headers) > 0}, {"-rpm", o.RPM != 0}, {"-tpm", o.TPM != 0},
		{"-temperature", o.Temperature.Given}, {"-max-tokens", o.MaxTokens.Given},
	} {
		if flag.given {
			return fmt.Errorf("%s is for models behind a server; %s is not", flag.name, m.kind.Name)
		}
	}
	return nil
}

// timeout returns the longest time that one request may take.
func (m *model) timeout(o Options) time.Duration {
	const usual = 10 * time.Minute
	return cmp.Or(o.Timeout, m.kind.Timeout, usual)
}

// processTimeout is timeout for an engine: a transport limits the time of each
// attempt itself.
func (m *model) processTimeout(o Options) time.Duration {
	if m.kind.Remote {
		return 0
	}
	return m.timeout(o)
}

// concurrency returns the number of cases in flight that is asked for.
func (m *model) concurrency(o Options) int {
	switch {
	case o.Concurrency != 0:
		return o.Concurrency
	case m.entry.Concurrency != 0:
		return m.entry.Concurrency
	}
	return m.kind.Concurrency
}

// places returns how many cases are worked on at once.
func (m *model) places(o Options) int {
	n := m.inFlight(o)
	if m.kind.Remote && n != m.kind.Concurrency {
		const least = 16
		return n + n/2 + least
	}
	return n
}

func (m *model) transportOptions(o Options, access catalog.Access) transport.Options {
	options := transport.Options{
		RPM: m.entry.RPM, TPM: m.entry.TPM, Timeout: m.timeout(o),
		Secrets: access.Secrets(), KeyName: access.KeyVariable, StartWait: o.ServerWait,
	}
	if o.RPM != 0 {
		options.RPM = o.RPM
	}
	if o.TPM != 0 {
		options.TPM = o.TPM
	}
	if m.kind.Base != nil {
		options.Base = m.kind.Base()
	}
	if o.Concurrency != m.kind.Concurrency {
		options.MaxInFlight = o.Concurrency // set by the user or the catalogue
	}
	return options
}

// reading returns the settings for reading the model's answers: those that the
// user sets, or else those of the catalogue or of recorded answers, or else
// those that the mode implies. whole reports whether the model answers
// conversations in one piece.
func (m *model) reading(o Options) (settings eval.Settings, whole bool, err error) {
	var a eval.Adapter
	if !m.kind.Remote && !m.kind.Chat { // opening these only reads files
		if a, err = m.kind.Open(adapters.Config{Access: catalog.Access{Entry: m.entry}}); err != nil {
			return settings, false, err
		}
		whole = eval.AnswersWhole(a)
	}
	settings, err = m.settings(a, o)
	return settings, whole, err
}

// settings returns the settings for an adapter, which may be nil.
func (m *model) settings(a eval.Adapter, o Options) (eval.Settings, error) {
	mode, err := eval.ParseMode(o.Mode)
	if err != nil {
		return eval.Settings{}, err
	}
	own := mode == ""
	if own {
		mode = m.entry.Mode
	}
	if mode == "" {
		mode = eval.ModeOf(a)
	}
	settings := eval.SettingsFor(mode)
	if r, ok := a.(interface{ Folder() *record.Folder }); ok && own {
		if settings, err = m.catalog.Reading(r.Folder(), mode); err != nil {
			return settings, err
		}
	}
	if m.kind.Name == completions || o.Read == readDialect {
		settings.Dialect = m.dialect(mode, o.Read == readDialect)
	}
	if o.Dialect != "" {
		settings.Dialect = o.Dialect
	}
	if err := dialect.Check(settings.Dialect); err != nil {
		return settings, err
	}
	if o.Read == readDialect && settings.Dialect == "" {
		return settings, fmt.Errorf("-read=dialect needs -dialect, because %.100q names no family of models that is known: one of %s", m.entry.ID, strings.Join(dialect.Names(), ", "))
	}
	if m.template == completion.Upstream {
		settings.UnderscoreToDot = completion.Underscores(settings.Dialect)
	}
	if u := m.entry.UnderscoreToDot; u != nil {
		settings.UnderscoreToDot = *u
	}
	switch strings.ToLower(o.Underscores) {
	case "":
	case "yes", "true":
		settings.UnderscoreToDot = true
	case "no", "false":
		settings.UnderscoreToDot = false
	default:
		return settings, fmt.Errorf("-underscore-to-dot must be yes or no, not %q", o.Underscores)
	}
	return settings, nil
}

// dialect returns the dialect of the model's entry or, where calls are in the
// text, of the family that its name belongs to; "" if there is none. An entry may
// be of a provider that finds calls itself: if they are left in the text, the
// family decides. Upstream's prompts are for upstream's models alone.
func (m *model) dialect(mode eval.Mode, left bool) string {
	if mode == eval.Prompt || m.template == completion.Upstream || m.entry.Dialect != "" && !left {
		return m.entry.Dialect
	}
	if family, ok := dialect.FamilyOf(m.entry.Name + " " + m.entry.ID); ok {
		return family.Dialect.Name
	}
	if d := dialect.Find(m.entry.Dialect); d != nil && d.Separates() {
		return d.Name
	}
	return ""
}

// parameters returns what run.json says about how the model was asked.
func (m *model) parameters(o Options, access catalog.Access) map[string]string {
	out, served := map[string]string{}, access.Entry
	if !m.kind.Remote {
		return out
	}
	set := func(name, value string) {
		if value != "" {
			out[name] = value
		}
	}
	set("adapter", served.Adapter)
	set("id", served.ID)
	set("base_url", served.BaseURL)
	set("api_version", o.APIVersion)
	set("reasoning_effort", served.Parameters.ReasoningEffort)
	if t := served.Parameters.Temperature; t != nil {
		set("temperature", fmt.Sprint(*t))
	}
	if n := served.Parameters.MaxTokens; n != 0 {
		set("max_tokens", fmt.Sprint(n))
	}
	if len(served.Extra) > 0 {
		set("extra", fmt.Sprint(served.Extra))
	}
	set("headers", access.HeaderMarks())
	if o.Read == readDialect {
		set("read", o.Read)
	}
	set("chat_template", completion.Name(m.template))
	if served.Wire.Streams() {
		set("stream", "yes")
	}
	if r := served.Wire.RepeatReasoning; r != nil {
		set("repeat_reasoning", fmt.Sprint(*r))
	}
	if served.Wire.Strict != nil {
		set("strict", fmt.Sprint(*served.Wire.Strict))
	}
	set("tool_style", string(served.Wire.ToolStyle))
	set("functions_as", served.Wire.FunctionsAs)
	set("max_tokens_field", served.Wire.MaxTokensField)
	return out
}
