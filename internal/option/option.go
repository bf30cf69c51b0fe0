// Package option defines the suite's flags, for both the test binaries and the
// command.
package option

import (
	"flag"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Options are the options of a run. The flags' usage texts explain them.
type Options struct {
	Model, Models                  string
	Dataset, Data, Categories, IDs string
	Mode, Underscores, Dialect     string
	Read, ChatTemplate             string
	BaseURL, APIVersion            string
	Headers                        Headers
	Temperature, MaxTokens         Number
	ReasoningEffort                string
	Stream                         bool
	Concurrency, RPM, TPM          int
	MaxCost                        float64
	Timeout, Grace, ServerWait     time.Duration
	AgentCalls                     int
	AgentTime                      time.Duration
	Trials                         int
	Sample                         string
	Seed                           uint64
	Exec, ExecReplay               string
	Embedder                       string
	Search, SearchRecord           string
	AllowHosts                     string
	Shard, Job                     string
	RunDir                         string
	Resume                         bool
	// Root is the folder that contains results/; no flag sets it.
	Root string
	// Chosen reports whether go test's -run and -skip choose a trial, which
	// counts from 1, or is 0 if a case has one; nil if they choose all. No flag
	// of the suite sets it.
	Chosen func(category, id string, trial int) bool `json:"-"`
}

// A Group is a heading of a help text with the flags below it.
type Group struct {
	Title string
	// Flags are those that most people need, Rare the others.
	Flags, Rare []string
}

// Groups order the flags for people.
var Groups = []Group{
	{"What to ask", []string{"model", "dataset", "categories", "ids", "sample", "trials"}, []string{"models", "data", "seed", "shard", "job"}},
	{"How to ask", []string{"base-url", "mode"}, []string{
		"read", "dialect", "chat-template", "underscore-to-dot", "temperature", "max-tokens", "reasoning-effort", "header", "api-version", "stream",
	}},
	{"How fast, how much", []string{"concurrency", "max-cost"}, []string{
		"rpm", "tpm", "request-timeout", "server-wait", "agent-calls", "agent-time", "grace",
	}},
	{"Where to write", []string{"run-dir", "resume"}, nil},
	{"What calls reach", nil, []string{"api", "api-replay", "embedder", "search", "search-record", "allow-host"}},
}

// Travels says what -mode, -read, -dialect and -chat-template decide together.
const Travels = `What travels, and who finds the calls in the answer:

  model           flags                     sent               calls found by
  any             (default) or -mode=fc     the tool fields    the server
  any             -mode=prompt              a system prompt    bfcl
  openai:ID       -read=dialect             the tool fields    bfcl, by -dialect
  completions:ID  -chat-template=FILE       the text that the  bfcl, by -dialect
                                            template writes
  completions:ID  -chat-template=upstream   upstream's text    bfcl, by -dialect

A named model brings its own mode and dialect, any other the dialect of the
family that its name belongs to: bfcl models NAME shows them.`

// Register defines the flags in a flag set.
func (o *Options) Register(set *flag.FlagSet) {
	set.StringVar(&o.Model, "model", "", "the `model` to ask: a name that bfcl models lists, or openai:<id>, anthropic:<id>, command:<program>, agent:<program>, replay:<dir>, heuristic and so on")
	set.StringVar(&o.Models, "models", "", "a `file` of models of your own (default $BFCL_MODELS, else ./models.yaml if it exists)")
	set.StringVar(&o.Dataset, "dataset", "starter", "the `dataset`: starter (embedded), v4, v1, or a folder")
	set.StringVar(&o.Data, "data", "", "the `folder` that holds v4/ and v1/ (default $BFCL_DATA, else bfcl in the user cache directory)")
	o.Categories = "all"
	set.Var(word{&o.Categories}, "categories", "`names` of categories and groups, such as live,multi_turn")
	set.Var(word{&o.IDs}, "ids", "only these `cases`: ids or patterns such as live_*, comma separated, or @file")
	set.StringVar(&o.Sample, "sample", "", "only this many `cases`: 500 estimates the overall best, 500,by=size is in proportion, 20,by=category a first look")
	set.Uint64Var(&o.Seed, "seed", 1, "the `number` that decides which cases a sample takes; a smaller sample is part of a larger one with the same seed")
	set.IntVar(&o.Trials, "trials", 1, "`times` each case is asked")
	set.StringVar(&o.Shard, "shard", "", "run one `part` of several, index/count from 0, such as 0/8 (default from the CI system or cluster, else everything)")
	set.StringVar(&o.Job, "job", "", "a `name` that the shards of one run share, so that others are refused (default $BFCL_JOB or the id of the pipeline)")
	set.StringVar(&o.Mode, "mode", "", "how calls travel, `fc or prompt`: as tool calls or as text (default the model's own)")
	set.StringVar(&o.Underscores, "underscore-to-dot", "", "whether the model sees dots in function names as underscores: `yes or no` (default the model's own, else yes in fc mode and no in prompt mode)")
	set.StringVar(&o.Dialect, "dialect", "", "how the model writes calls, a `name` such as hermes, granite or prompt-search (default the model's own or, for completions and -read=dialect, that of the family its name belongs to)")
	set.StringVar(&o.Read, "read", "server", "what finds the calls in chat completions: `server or dialect` (the server's tool parser, or the dialect here with tool_choice none)")
	set.StringVar(&o.ChatTemplate, "chat-template", "", "the chat template that completions:<id> writes prompts with: a .jinja `file`, a tokenizer_config.json or the model's folder; or upstream, as the dialect's handler writes them")
	set.StringVar(&o.BaseURL, "base-url", "", "the `address` of the model's server")
	set.StringVar(&o.APIVersion, "api-version", "", "Azure's api-version, a `date`")
	set.Var(&o.Headers, "header", "a `header` to send, \"Name: value\"; ${VAR} in the value is taken from the environment; may be repeated")
	set.Var(&o.Temperature, "temperature", "the sampling `temperature` (default the model's own, else 0.001 as in upstream)")
	set.Var(&o.MaxTokens, "max-tokens", "the longest answer in `tokens` (default the server's own)")
	set.StringVar(&o.ReasoningEffort, "reasoning-effort", "", "how hard to think, a `word` that the model knows, such as low or high")
	set.BoolVar(&o.Stream, "stream", false, "ask for answers as streams, for servers that only stream and to measure the time to the first token (openai and anthropic)")
	set.IntVar(&o.Concurrency, "concurrency", 0, "`requests` in flight (default as many as the server can take)")
	set.IntVar(&o.RPM, "rpm", 0, "the most `requests` per minute (default the model's own)")
	set.IntVar(&o.TPM, "tpm", 0, "the most `tokens` per minute (default the model's own)")
	set.Var(budget{&o.MaxCost}, "max-cost", "stop once this many `dollars` are spent; -resume continues")
	set.DurationVar(&o.Timeout, "request-timeout", 0, "the longest `time` one request may take (default 10m; 20m for anthropic)")
	set.DurationVar(&o.ServerWait, "server-wait", 10*time.Minute, "the longest `time` to wait for a server that is loading its model, or for a local one that restarts")
	set.IntVar(&o.AgentCalls, "agent-calls", 0, "the most `calls` an agent may make in a case; one more ends the case (default 250)")
	set.DurationVar(&o.AgentTime, "agent-time", 0, "the longest `time` an agent may take for a case; -request-timeout limits each turn (default 1h)")
	set.DurationVar(&o.Grace, "grace", 10*time.Second, "the longest `time` requests in flight may take to end after an interrupt; a second interrupt abandons them")
	set.StringVar(&o.Exec, "api", "replay", "what answers the calls of executable categories: `replay, live or record` (recorded answers, the APIs, or the APIs with their answers recorded)")
	set.StringVar(&o.ExecReplay, "api-replay", "", "`files` of recorded API answers, comma separated, or the file to write with -api=record (default the dataset's own)")
	set.StringVar(&o.Embedder, "embedder", "local", "the `name` of what turns texts into vectors for memory_vector: local (embedded, not comparable with published figures), or openai:<id>@<address>")
	set.StringVar(&o.Search, "search", "", "the `web` that models search: serpapi, searxng:<address>, offline (embedded), replay:<file>, or none, which leaves out the web categories (default offline for the starter suite)")
	set.StringVar(&o.SearchRecord, "search-record", "", "the `file` to write searches and fetched pages to, for -search=replay:<file>")
	set.StringVar(&o.AllowHosts, "allow-host", "", "`hosts` that models may fetch pages from even at private addresses, comma separated")
	set.StringVar(&o.RunDir, "run-dir", "", "the `folder` to write the run into (default results/<model>)")
	set.BoolVar(&o.Resume, "resume", false, "continue the run in its folder, with its settings: ask only what is missing")
}

// Headers are the values of -header.
type Headers []string

// String joins only the names: values may contain keys.
func (h *Headers) String() string {
	names := make([]string, len(*h))
	for i, header := range *h {
		names[i], _, _ = strings.Cut(header, ":")
	}
	return strings.Join(names, ", ")
}

// Set adds a header.
func (h *Headers) Set(s string) error {
	*h = append(*h, s)
	return nil
}

// A Number is a flag that may be unset.
type Number struct {
	Value float64
	Given bool
}

// String returns the number, or nothing.
func (n *Number) String() string {
	if n == nil || !n.Given {
		return ""
	}
	return strconv.FormatFloat(n.Value, 'g', -1, 64)
}

// Set reads a number.
func (n *Number) Set(s string) (err error) {
	n.Value, err = strconv.ParseFloat(s, 64)
	n.Given = err == nil
	return err
}

// Args returns the options as arguments of a test or a command, without those at
// their default, and with each header's value.
func (o *Options) Args() []string {
	var copied Options
	set := flag.NewFlagSet("", flag.ContinueOnError)
	copied.Register(set)
	defaults := map[string]string{}
	set.VisitAll(func(f *flag.Flag) { defaults[f.Name] = f.Value.String() })
	copied = *o
	var args []string
	set.VisitAll(func(f *flag.Flag) {
		switch value := f.Value.String(); {
		case f.Name == "header":
			for _, header := range o.Headers {
				args = append(args, "-header="+header)
			}
		case value != defaults[f.Name]:
			args = append(args, "-"+f.Name+"="+value)
		}
	})
	return args
}

// upstream are flags of upstream's that nothing here replaces, with the reason.
var upstream = map[string]string{
	"exclude-state-log": "the records of conversations always have the simulators' states",
	"include-input-log": "bfcl run -dry-run shows what a model is sent",
}

// Refused says what to use instead of an unknown flag, if upstream has it; "" for
// others.
func Refused(name string) string {
	if why := upstream[name]; why != "" {
		return fmt.Sprintf("-%s is a flag of upstream's: %s", name, why)
	}
	return ""
}
