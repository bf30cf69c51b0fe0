package suite

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gobfcl/bfcl/adapters"
	"github.com/gobfcl/bfcl/fixtures"
	"github.com/gobfcl/bfcl/internal/dataset/ownsuite"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/model/catalog"
	"github.com/gobfcl/bfcl/internal/model/provider"
	"github.com/gobfcl/bfcl/internal/model/server"
	"github.com/gobfcl/bfcl/internal/model/transport"
	"github.com/gobfcl/bfcl/internal/option"
	"github.com/gobfcl/bfcl/internal/plainfile"
	"github.com/gobfcl/bfcl/internal/pose/completion"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/read/dialect"
	"github.com/gobfcl/bfcl/internal/record"
	"github.com/gobfcl/bfcl/internal/say"
	"github.com/gobfcl/bfcl/internal/world/endpoint"
	"github.com/gobfcl/bfcl/internal/world/web"
)

const (
	// completions is the adapter that writes prompts itself.
	completions = "completions"
	// readDialect is the value of -read with which calls are read from the text
	// here.
	readDialect = "dialect"
	// agentCalls is the most calls an agent may make in a case, and agentTime the
	// longest that it may take for one, if the user does not set them.
	agentCalls = 250
	agentTime  = time.Hour
)

// A Model is the model to ask: its entry in the catalogue, overridden by the
// user's flags.
type Model struct {
	Kind adapters.Kind
	// Access is the entry, with the key once a plan has read it.
	Access catalog.Access
	// Whole reports whether the model answers conversations in one piece.
	Whole bool
	// Settings are the settings for reading answers. They lack the executor,
	// which only an open suite has.
	Settings eval.Settings
	// Concurrency is the number of requests in flight.
	Concurrency int
	// Places is the number of cases that are worked on at once. It is larger
	// than Concurrency if the transport limits the requests in flight: the next
	// request is then ready when an answer comes, and reading an answer does
	// not delay sending.
	Places int

	name    string // in the options
	catalog *catalog.Catalog
	// missing says that the adapter is not in this build; nil if it is.
	missing error
	// template is the path of the chat template for completions.
	template string
	// addressed reports whether the user names the server's address, and
	// connections is how many there is room for; 0 is no limit.
	addressed   bool
	connections int
}

// ID returns the model's name at its provider, or else the name in the options.
func (m *Model) ID() string { return cmp.Or(m.Access.Entry.ID, m.name) }

// ByCase reports whether the model answers by a case's id, as recordings and
// the oracle do, instead of by the request.
func (m *Model) ByCase() bool { return m.Whole || m.Kind.Unwritten }

// OwnServer reports whether the model is behind a server that users may have
// started themselves.
func (m *Model) OwnServer() bool {
	return m.Kind.Remote && strings.HasPrefix(strings.ToLower(m.Access.Entry.BaseURL), "http://")
}

// NoModel is the refusal to run without a model. The oracle's answers pass every
// gate, so it has to be asked for by name. A run that is continued has a model.
func NoModel(o Options) error {
	switch {
	case !o.Resume:
		return option.Misuse("no model: name the one to ask with -model, such as -model=openai:ID with the -base-url of its server, or -model=heuristic, a small baseline; `bfcl models` lists more")
	case o.RunDir == "":
		return option.Misuse("nothing to resume: name the folder of a run with -run-dir, or its model with -model")
	}
	return unstated(o.RunDir, "")
}

// modelOf returns the caller's model, or the one that the options name if kind
// is nil. The model is the best that is known, even if there is an error.
func modelOf(o Options, kind *adapters.Kind) (m Model, err error) {
	if kind == nil && o.Model == "" {
		return m, NoModel(o)
	}
	if m.catalog, err = catalog.Load(catalog.Files(o.Models, catalog.Process())...); err != nil {
		return m, err
	}
	m.name, m.addressed = o.Model, o.BaseURL != ""
	e := &m.Access.Entry
	if kind != nil {
		m.Kind, *e = *kind, catalog.Entry{Name: o.Model, Adapter: kind.Name}
		return m, m.apply(o)
	}
	if *e, err = adapters.Resolve(m.catalog, o.Model); err != nil {
		return m, err
	}
	known := *e
	if adapters.Tag(e.Adapter) != "" {
		_, m.missing = adapters.Find(*e)
		known.Adapter = "openai" // which every build has
	}
	if m.Kind, err = adapters.Find(known); err != nil {
		return m, err
	}
	if m.missing != nil {
		m.Kind.Name, m.Kind.Open = e.Adapter, nil
	}
	return m, m.apply(o)
}

// apply overrides the catalogue's values with the user's flags.
func (m *Model) apply(o Options) error {
	e := &m.Access.Entry
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
	e.Parameters.ReasoningEffort = cmp.Or(o.ReasoningEffort, e.Parameters.ReasoningEffort)
	e.Headers = maps.Clone(e.Headers)
	for _, header := range o.Headers {
		name, value, ok := strings.Cut(header, ":")
		if name = strings.TrimSpace(name); !ok || name == "" || strings.ContainsAny(name, " \t") {
			return fmt.Errorf(`-header must be "Name: value", one flag per header`)
		}
		e.SetHeader(name, strings.TrimSpace(value))
	}
	m.template = o.ChatTemplate
	if m.Kind.Name == completions && m.template == "" && completion.Has(e.Dialect) && o.Dialect == "" {
		m.template = completion.Upstream // a model of upstream's leaderboard is asked as upstream asks it
	}
	return m.suits(o)
}

// suits returns the first reason why the options do not suit the model.
func (m *Model) suits(o Options) error {
	k, own := &m.Kind, m.Kind.Name == completions
	mode, _ := eval.ParseMode(o.Mode)
	remote := func(flag string) string { return flag + " is for models behind a server; " + k.Name + " is not" }
	for _, flags := range []struct {
		wrong bool
		why   string
	}{
		{m.Access.Entry.Wire.Streams() && !k.Streams, "-stream (stream in models.yaml) is for Chat Completions and Anthropic's Messages: the adapter " + k.Name + " does not stream"},
		{o.Read != "" && o.Read != "server" && o.Read != readDialect, fmt.Sprintf("-read must be server or dialect, not %q", o.Read)},
		{o.Read == readDialect && k.Name != "openai", "-read=dialect is for openai:<id>, where the server may find calls itself; " + k.Name + " does not support it"},
		{own && m.template == "", completions + ":<id> needs -chat-template: the model's chat_template.jinja, tokenizer_config.json or folder; or upstream, with -dialect"},
		{!own && m.template != "", "-chat-template is for " + completions + ":<id>; " + k.Name + " leaves the prompt to the server"},
		{!k.Agent && (o.AgentCalls != 0 || o.AgentTime != 0), "-agent-calls and -agent-time are for agent:<program> and agent+http://<address>; " + k.Name + " is not an agent"},
		{o.AgentCalls < 0, "-agent-calls must not be negative"},
		{k.Agent && (o.Dialect != "" || o.Underscores != ""), "-dialect and -underscore-to-dot are for models: an agent makes its calls itself"},
		{k.Agent && mode == eval.Prompt, "-mode=prompt is for models: an agent makes its calls itself"},
		{!k.Remote && o.BaseURL != "", remote("-base-url")},
		{!k.Remote && len(o.Headers) > 0, remote("-header")},
		{!k.Remote && o.RPM != 0, remote("-rpm")},
		{!k.Remote && o.TPM != 0, remote("-tpm")},
		{!k.Remote && o.Temperature.Given, remote("-temperature")},
		{!k.Remote && o.MaxTokens.Given, remote("-max-tokens")},
	} {
		if flags.wrong {
			return errors.New(flags.why)
		}
	}
	if k.Agent && !k.InProcess {
		return endpoint.Check()
	}
	return nil
}

// timeout returns the longest time that one request may take.
func (m *Model) timeout(o Options) time.Duration {
	const usual = 10 * time.Minute
	return cmp.Or(o.Timeout, m.Kind.Timeout, usual)
}

// readKey finds the model's key, if it needs one; for a keyless model, which is
// never asked, every key is set.
func (m *Model) readKey(keyless bool) (err error) {
	if !m.Kind.Remote {
		return nil
	}
	env := catalog.Process()
	if keyless {
		m.Access.Entry.KeyCommand = ""
		process := env
		env = func(name string) (string, bool) {
			value, ok := process(name)
			isKey := slices.ContainsFunc([]string{"KEY", "TOKEN", "SECRET"}, func(end string) bool { return strings.HasSuffix(name, end) })
			if value == "" && isKey {
				return "none", true
			}
			return value, ok
		}
	}
	access, err := m.Access.Entry.Access(env)
	if err == nil {
		m.Access = access
	}
	return err
}

// settings returns the settings for reading the model's answers: those that the
// user sets, or else those of the catalogue or of recorded answers, or else
// those that the mode implies.
func (m *Model) settings(o Options) (settings eval.Settings, err error) {
	var a eval.Adapter
	if !m.Kind.Remote && !m.Kind.Chat { // opening these only reads files
		if a, err = m.Kind.Open(adapters.Config{Access: m.Access}); err != nil {
			return settings, err
		}
		m.Whole = eval.AnswersWhole(a)
	}
	asked, err := eval.ParseMode(o.Mode)
	if err != nil {
		return settings, err
	}
	mode := cmp.Or(asked, m.Access.Entry.Mode)
	if mode == "" {
		mode = eval.ModeOf(a)
	}
	settings = eval.SettingsFor(mode)
	if r, ok := a.(interface{ Folder() *record.Folder }); ok && asked == "" {
		if settings, err = m.catalog.Reading(r.Folder(), mode); err != nil {
			return settings, err
		}
	}
	if m.Kind.Name == completions || o.Read == readDialect {
		settings.Dialect = m.dialect(mode, o.Read == readDialect)
	}
	settings.Dialect = cmp.Or(o.Dialect, settings.Dialect)
	if err := dialect.Check(settings.Dialect); err != nil {
		return settings, err
	}
	if o.Read == readDialect && settings.Dialect == "" {
		return settings, fmt.Errorf("-read=dialect needs -dialect, because %.100q names no family of models that is known: one of %s", m.Access.Entry.ID, strings.Join(dialect.Names(), ", "))
	}
	if m.template == completion.Upstream {
		settings.UnderscoreToDot = completion.Underscores(settings.Dialect)
	}
	if u := m.Access.Entry.UnderscoreToDot; u != nil {
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
func (m *Model) dialect(mode eval.Mode, left bool) string {
	e := &m.Access.Entry
	if mode == eval.Prompt || m.template == completion.Upstream || e.Dialect != "" && !left {
		return e.Dialect
	}
	if family, ok := dialect.FamilyOf(e.Name + " " + e.ID); ok {
		return family.Dialect.Name
	}
	if d := dialect.Find(e.Dialect); d != nil && d.Separates() {
		return d.Name
	}
	return ""
}

const (
	// ownFiles is how many files a run has open besides answers and
	// connections: its standard streams, locks, the runtime's files and a
	// dataset's file.
	ownFiles = 16
	// programFiles is how many files a program that answers needs: its three
	// pipes, and their other ends while it starts.
	programFiles = 6
	// endpointFiles is how many files an agent's connections to its tools need:
	// a stream of notices, and calls made in parallel.
	endpointFiles = 6
)

// filesOfCase returns how many files a case in flight has open.
func (m *Model) filesOfCase(o Options) int {
	n := programFiles
	switch {
	case m.Kind.Remote:
		n = 1
	case m.Kind.Agent:
		n += endpointFiles
	case !m.Kind.Chat:
		return 0
	}
	for _, asks := range []bool{
		o.Search == web.SerpAPI || strings.HasPrefix(o.Search, web.SearXNG),
		o.Exec == Live || o.Exec == Record,
		o.Embedder != "" && o.Embedder != web.DefaultEmbedder,
	} {
		if asks { // requests other than to the model
			n++
		}
	}
	return n
}

// fit sets how many cases are in flight: as many as are asked for, or as the
// limit of open files allows, which a note then says. It is an error if that is
// none.
func (m *Model) fit(o Options) (note string, err error) {
	m.Concurrency = o.Concurrency
	limit, bounded := plainfile.OpenLimit()
	if each := m.filesOfCase(o); bounded && each > 0 {
		others := max(ownFiles, plainfile.OpenFiles()) + record.Files(limit) + transport.Beside + transport.Dials*transport.DialFiles
		n := max((limit-others)/each, 0)
		if m.connections, m.Concurrency = n, min(o.Concurrency, n); n < 1 {
			return "", &Refusal{fmt.Errorf("this process may open %d files (ulimit -n), and a run needs %d: raise the limit", limit, others+each)}
		}
		if n < o.Concurrency {
			note = fmt.Sprintf("this process may open %d files (ulimit -n): at most %s in flight, not %d", limit, say.Count(n, "case is", "cases are"), o.Concurrency)
		}
	}
	if m.Places = m.Concurrency; m.Kind.Remote && m.Places != m.Kind.Concurrency {
		const least = 16
		m.Places += m.Places/2 + least
	}
	return note, nil
}

// verbatim reports whether the model sees the tools as the suite's owner wrote them.
func (m *Model) verbatim(d *fixtures.Dataset) bool {
	own := d.Own()
	return own != nil && own.Send == ownsuite.Verbatim && m.Kind.Chat
}

// check returns the error that opening the adapter would return.
func (m *Model) check(d *fixtures.Dataset, o Options) error {
	if m.verbatim(d) && m.template == completion.Upstream {
		if err := completion.Verbatim(m.Settings.Dialect); err != nil {
			return err
		}
	}
	if m.Kind.Check == nil {
		return nil
	}
	wording, err := d.Wording()
	if err != nil {
		return err
	}
	cfg := m.config(d, o)
	cfg.Wording = wording.Tools
	return m.Kind.Check(cfg)
}

// config returns the configuration of the model's adapter, as far as a plan knows it.
func (m *Model) config(d *fixtures.Dataset, o Options) adapters.Config {
	return adapters.Config{
		Hidden: hidden(o), Access: m.Access, APIVersion: o.APIVersion,
		Concurrency: m.Concurrency, Timeout: m.timeout(o),
		Settings: m.Settings, Reread: o.Read == readDialect, ChatTemplate: m.template,
		Texts: func() (completion.Texts, error) { return d.HandlerTexts(o.Data) },
	}
}

// hidden returns the folders that an agent must not read: those with possible
// answers, and the results of this run and of others beside it.
func hidden(o Options) []string {
	out := []string{fixtures.DataDir(o.Data), o.RunDir}
	if info, err := os.Stat(o.Dataset); err == nil && info.IsDir() {
		out = append(out, o.Dataset)
	}
	if all := filepath.Dir(o.RunDir); o.RunDir != "" && filepath.Base(all) == "results" {
		out = append(out, all)
	}
	return out
}

// Reach returns why a run cannot begin at the model's server, if the user named
// the server's address: nothing listens, the path or the model's name is wrong, or
// the key is refused. It asks for the list of models, and only if that says that
// something is wrong, for a one-token answer, which it notes.
func (m *Model) Reach(ctx context.Context, looked *record.Ledger) error {
	e := m.Access.Entry
	base, err := url.Parse(e.BaseURL)
	tells := e.Adapter == "openai" || e.Adapter == completions // which models it serves
	if !m.OwnServer() && !m.addressed || e.KeyCommand != "" || !tells || err != nil || base.Host == "" {
		return nil
	}
	if base.Path == "" || base.Path == "/" {
		base.Path = "/v1"
	}
	header := http.Header{}
	if key := string(m.Access.Key); key != "" {
		header.Set("Authorization", "Bearer "+key)
	}
	for name, value := range m.Access.Headers {
		header.Set(name, string(value))
	}
	asked := func(status int, text string, err error) {
		sent := &record.Sent{At: time.Now().UTC().Truncate(time.Millisecond), Attempt: 1, Status: status, Fate: record.Looked}
		switch {
		case err != nil: // which does not say whether it arrived
			sent.Fate, sent.Error, sent.Unpriced = record.Refused, transport.Connection, true
		case status >= http.StatusBadRequest:
			sent.Fate = record.Refused
		default:
			reply, err := pyval.ParseJSON(text)
			if err == nil {
				sent.Input, sent.Output = provider.Usage(reply)
			}
			if sent.Unpriced = sent.Input == 0 || sent.Output == 0 || !e.Prices.Known(); !sent.Unpriced {
				sent.Dollars = e.Prices.Cost(sent.Input, sent.Output)
			}
		}
		looked.Put(sent)
	}
	return option.MarkMisuse(server.Address{Base: base.String(), Model: m.ID(), Header: header, Asked: asked}.Reach(ctx))
}
