// Package adapters lists the adapters of this build and opens them by name.
package adapters

import (
	"context"
	"embed"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"net/http"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/gobfcl/bfcl/adapters/agent"
	"github.com/gobfcl/bfcl/adapters/anthropic"
	"github.com/gobfcl/bfcl/adapters/cohere"
	"github.com/gobfcl/bfcl/adapters/command"
	"github.com/gobfcl/bfcl/adapters/completions"
	"github.com/gobfcl/bfcl/adapters/gemini"
	"github.com/gobfcl/bfcl/adapters/heuristic"
	"github.com/gobfcl/bfcl/adapters/openai"
	"github.com/gobfcl/bfcl/adapters/oracle"
	"github.com/gobfcl/bfcl/adapters/replay"
	"github.com/gobfcl/bfcl/adapters/responses"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/model/catalog"
	"github.com/gobfcl/bfcl/internal/model/provider"
	"github.com/gobfcl/bfcl/internal/model/server"
	"github.com/gobfcl/bfcl/internal/model/transport"
	"github.com/gobfcl/bfcl/internal/pose/completion"
	"github.com/gobfcl/bfcl/internal/pose/jinja"
	"github.com/gobfcl/bfcl/internal/pose/tool"
	"github.com/gobfcl/bfcl/internal/read/dialect"
)

// A Config is what an adapter may need to open.
type Config struct {
	// Access is the model, its server, its key and its headers.
	Access catalog.Access
	// Secrets are the keys that a key command has printed; may be nil.
	Secrets func() []string
	// APIVersion is Azure's.
	APIVersion string
	// Lookup finds a case; only the oracle may use it.
	Lookup oracle.Lookup
	// Wording holds the texts of tool schemas.
	Wording *tool.Wording
	// Transport carries requests; nil for adapters that are not Remote.
	Transport *transport.Transport
	// Settings say how answers are read.
	Settings eval.Settings
	// Reread makes Chat Completions leave calls in the text, which is read by
	// the dialect in Settings.
	Reread bool
	// ChatTemplate is the path of the model's chat template for completions, or
	// completion.Upstream, which needs Texts.
	ChatTemplate string
	Texts        func() (completion.Texts, error)
	// Hidden are the folders with answers, which agents must not read.
	Hidden []string
	// Concurrency is the number of cases in flight.
	Concurrency int
	// Timeout bounds one request of adapters that are not Remote.
	Timeout time.Duration
}

// A Kind is one sort of adapter.
type Kind struct {
	// Name is what precedes the colon in -model.
	Name string
	// Argument says what follows the colon; "" if nothing may.
	Argument string
	// Concurrency is the default number of cases in flight. For a remote
	// adapter the transport limits requests to as many as the server can take.
	Concurrency int
	// Timeout is the default limit of a request's time; 0 means the suite's own
	// default.
	Timeout time.Duration
	// Remote adapters reach a server through the shared transport.
	Remote bool
	// Chat adapters get questions as a model does: with the language's hints,
	// and in prompt mode with a system prompt.
	Chat bool
	// Streams adapters can ask for answers as streams.
	Streams bool
	// Agent adapters measure agents, which make their calls themselves.
	Agent bool
	// InProcess agents are functions of this program: they make calls with the
	// request, and not over the protocol.
	InProcess bool
	// Unwritten adapters leave no run folder unless the user names one, because
	// their answers are the dataset's own.
	Unwritten bool
	// Base makes the RoundTripper that sends the transport's attempts; nil
	// means a connection pool of its own.
	Base func() http.RoundTripper
	// Check returns the error that Open would, before anything is written or
	// sent; nil if there is nothing to check.
	Check func(cfg Config) error
	// Open makes the adapter.
	Open func(cfg Config) (eval.Adapter, error)
}

var (
	// local is the default concurrency of adapters that compute in process.
	local = 2 * runtime.GOMAXPROCS(0)
	// remote is the most the transport's adaptive limit may need.
	remote = 512
)

// list holds the adapters in the order people see them. An adapter behind a
// build tag adds itself in its file tag_<name>.go and is named nowhere else.
var list = []Kind{
	{
		Name: "oracle", Concurrency: local, Unwritten: true,
		Open: func(cfg Config) (eval.Adapter, error) { return oracle.New(cfg.Lookup), nil },
	},
	{
		Name: "heuristic", Concurrency: local,
		Open: func(Config) (eval.Adapter, error) { return heuristic.New(), nil },
	},
	{
		Name: "replay", Argument: "dir", Concurrency: local,
		Open: func(cfg Config) (eval.Adapter, error) { return replay.New(cfg.Access.Entry.ID) },
	},
	{
		Name: "command", Argument: "program", Concurrency: 4, Chat: true,
		Open: func(cfg Config) (eval.Adapter, error) {
			return command.New(command.Config{Command: cfg.Access.Entry.ID, Processes: cfg.Concurrency, Timeout: cfg.Timeout})
		},
	},
	{
		Name: "agent", Argument: "program", Concurrency: 4, Chat: true, Agent: true,
		Check: opens(openAgent), Open: openAgent,
	},
	{
		Name: "agent+http", Argument: "//address", Concurrency: 4, Chat: true, Agent: true,
		Check: opens(openAgentServer), Open: openAgentServer,
	},
	{
		Name: "openai", Argument: "id", Concurrency: remote, Remote: true, Chat: true, Streams: true,
		Open: openChat,
	},
	{
		Name: "completions", Argument: "id", Concurrency: remote, Remote: true, Chat: true,
		Check: opens(openCompletions), Open: openCompletions,
	},
	{
		Name: "responses", Argument: "id", Concurrency: remote, Remote: true, Chat: true,
		Open: func(cfg Config) (eval.Adapter, error) { return responses.New(serverConfig(cfg)) },
	},
	{
		Name: "anthropic", Argument: "id", Concurrency: remote, Remote: true, Chat: true, Streams: true,
		Timeout: 20 * time.Minute, // upstream's: its models may think for a long time, and an answer comes in one piece
		Open:    func(cfg Config) (eval.Adapter, error) { return anthropic.New(serverConfig(cfg)) },
	},
	{
		Name: "gemini", Argument: "id", Concurrency: remote, Remote: true, Chat: true,
		Open: func(cfg Config) (eval.Adapter, error) { return gemini.New(serverConfig(cfg)) },
	},
	{
		Name: "cohere", Argument: "id", Concurrency: remote, Remote: true, Chat: true,
		Open: func(cfg Config) (eval.Adapter, error) { return cohere.New(serverConfig(cfg)) },
	},
}

// googleToken finds Google's default credentials; nil in builds without the tag
// vertex.
var googleToken func() (func() (string, error), error)

// opens returns the check of an adapter that starts and sends nothing when it is
// opened.
func opens(open func(cfg Config) (eval.Adapter, error)) func(cfg Config) error {
	return func(cfg Config) error {
		a, err := open(cfg)
		if closer, ok := a.(io.Closer); ok && err == nil {
			return closer.Close()
		}
		return err
	}
}

// openAgent makes the adapter of agents that are programs. It starts none yet.
func openAgent(cfg Config) (eval.Adapter, error) {
	return agent.Program(cfg.Access.Entry.ID, cfg.Timeout, cfg.Hidden)
}

func openAgentServer(cfg Config) (eval.Adapter, error) {
	return agent.Server(cfg.Access.Entry.ID, cfg.Timeout)
}

func openChat(cfg Config) (eval.Adapter, error) {
	server := serverConfig(cfg)
	if !cfg.Reread {
		a, err := openai.New(server)
		if err != nil {
			return nil, err
		}
		return told(cfg, a)
	}
	server.Extra = maps.Clone(server.Extra)
	if server.Extra == nil {
		server.Extra = map[string]any{}
	}
	server.Extra["tool_choice"] = "none"
	d := dialect.Find(cfg.Settings.Dialect)
	if _, set := server.Extra[completions.SkipSpecial]; !set && d != nil && d.Marked() {
		server.Extra[completions.SkipSpecial] = false
	}
	a, err := openai.New(server)
	if err != nil {
		return nil, err
	}
	return completions.Reread(a, d)
}

// Facts returns what the server of a model tells about itself. Servers at https
// addresses, which users do not start themselves, are not asked.
func Facts(ctx context.Context, cfg Config) server.Facts {
	c := serverConfig(cfg)
	if c.Transport == nil || !strings.HasPrefix(strings.ToLower(c.BaseURL), "http://") {
		return server.Facts{}
	}
	to, err := provider.New(&c, "chat/completions")
	if err != nil {
		return server.Facts{}
	}
	facts, _ := server.Look(ctx, to.Peek, c.Model)
	return facts
}

// told makes the adapter describe functions to the model as upstream does, if
// upstream has a text of its own for that.
func told(cfg Config, a eval.Adapter) (eval.Adapter, error) {
	form, mode := cfg.Access.Entry.Wire.FunctionsAs, cfg.Access.Entry.Mode
	if form == "" || cfg.Texts == nil || cfg.Settings.Mode != "" && mode != "" && cfg.Settings.Mode != mode {
		return a, nil // the user wants another mode than the model's
	}
	texts, err := cfg.Texts()
	if err != nil {
		return nil, err
	}
	chat, err := completion.NewChat(form, texts)
	if err != nil {
		return nil, err
	}
	return completions.Told(a, chat), nil
}

func openCompletions(cfg Config) (eval.Adapter, error) {
	writer, err := completionWriter(cfg)
	if err != nil {
		return nil, err
	}
	d := dialect.Find(cfg.Settings.Dialect)
	if d == nil && cfg.Settings.Mode != eval.Prompt {
		return nil, fmt.Errorf("it is not known how %q writes calls: give -dialect, one of %s, or use -mode=prompt",
			cfg.Access.Entry.ID, strings.Join(dialect.Names(), ", "))
	}
	return completions.New(completions.Config{Server: serverConfig(cfg), Writer: writer, Dialect: d})
}

// completionWriter returns the writer of the prompts of completions.
func completionWriter(cfg Config) (completion.Writer, error) {
	if cfg.ChatTemplate != completion.Upstream {
		return completion.Own(cfg.ChatTemplate, cfg.Settings.Mode, cfg.Wording, jinja.Transformers())
	}
	texts, err := cfg.Texts()
	if err != nil {
		return nil, err
	}
	e := cfg.Access.Entry
	return completion.NewHandler(cfg.Settings.Dialect, e.Name+" "+e.ID, texts, cfg.Wording)
}

// serverConfig returns the configuration of the adapters that reach a server.
func serverConfig(cfg Config) provider.Config {
	e := cfg.Access.Entry
	return provider.Config{
		Model: e.ID, BaseURL: e.BaseURL, APIVersion: cfg.APIVersion,
		Key: string(cfg.Access.Key), Secrets: cfg.Secrets, Headers: cfg.headers(),
		Temperature: e.Parameters.Temperature, MaxTokens: e.Parameters.MaxTokens,
		ReasoningEffort: e.Parameters.ReasoningEffort, Extra: e.Extra,
		ToolStyle: e.Wire.ToolStyle, MaxTokensField: e.Wire.MaxTokensField, Strict: e.Wire.Strict,
		RepeatReasoning: e.Wire.RepeatReasoning, Stream: e.Wire.Streams(),
		Google: googleToken, Wording: cfg.Wording, Transport: cfg.Transport,
	}
}

// tagged holds the files of adapters behind build tags, whatever the tags of
// this build: tag_x.go adds the adapter x in builds with the tag x.
//
//go:embed tag_*.go
var tagged embed.FS

// tags are the build tags of adapters that may be missing from this build.
var tags = sync.OnceValue(func() (tags []string) {
	files, _ := fs.Glob(tagged, "*") // the pattern is well formed
	for _, file := range files {
		if file != "tag_vertex.go" { // which adds credentials, and no adapter
			tags = append(tags, strings.TrimSuffix(strings.TrimPrefix(file, "tag_"), ".go"))
		}
	}
	return tags
})

// Tag returns the build tag that adds the adapter of the given name, "" if this
// build has it or there is none.
func Tag(name string) string {
	if slices.Contains(tags(), name) && !slices.ContainsFunc(list, func(k Kind) bool { return k.Name == name }) {
		return name
	}
	return ""
}

// Resolve returns the model that -model names, given a catalogue.
func Resolve(models *catalog.Catalog, model string) (catalog.Entry, error) {
	var local []string
	for _, k := range list {
		if !k.Remote {
			local = append(local, k.Name)
		}
	}
	return models.Resolve(model, local)
}

// Find returns the kind of adapter of a model.
func Find(e catalog.Entry) (Kind, error) {
	if tag := Tag(e.Adapter); tag != "" {
		return Kind{}, fmt.Errorf("the adapter %s is not in this build: it needs -tags=%s, as in `go install -tags=%s github.com/gobfcl/bfcl/cmd/bfcl@latest`, in a checkout ./cmd/bfcl, or `go test -tags=%s`", tag, tag, tag, tag)
	}
	for _, k := range list {
		if k.Name != e.Adapter {
			continue
		}
		switch {
		case k.Argument != "" && e.ID == "":
			return Kind{}, fmt.Errorf("model %q lacks its argument: write %s:<%s>", e.Name, k.Name, k.Argument)
		case k.Argument == "" && (e.ID != "" || strings.Contains(e.Name, ":")):
			return Kind{}, fmt.Errorf("model %q: %s takes no argument", e.Name, k.Name)
		}
		return k, nil
	}
	return Kind{}, fmt.Errorf("model %q: there is no adapter %q; use one of %s", e.Name, e.Adapter, strings.Join(usages(), ", "))
}

func usages() []string {
	var out []string
	for _, k := range list {
		use := k.Name
		if k.Argument != "" {
			use += ":<" + k.Argument + ">"
		}
		out = append(out, use)
	}
	for _, tag := range tags() {
		if Tag(tag) != "" {
			out = append(out, tag+":<id>")
		}
	}
	return out
}

// headers returns the model's extra headers with their values.
func (cfg Config) headers() http.Header {
	if len(cfg.Access.Headers) == 0 {
		return nil
	}
	out := http.Header{}
	for name, value := range cfg.Access.Headers {
		out.Set(name, string(value))
	}
	return out
}
