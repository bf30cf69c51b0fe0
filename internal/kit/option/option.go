// Package option defines the suite's flags, for both the test binaries and the
// command.
package option

import (
	"flag"
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
	Limit                          int
	Seed                           uint64
	Variant                        string
	Exec, ExecReplay               string
	Embedder                       string
	Search, SearchRecord           string
	AllowHosts                     string
	Shard                          string
	RunDir                         string
	Resume                         bool
	ShareEqual                     bool
	ExcludeStateLog                bool
	IncludeInputLog                bool
	OTel                           bool
	// Root is the folder that contains results/; no flag sets it.
	Root string
}

// A Group is a heading of a help text with the flags below it.
type Group struct {
	Title string
	Flags []string
}

// Groups order the flags for people.
var Groups = []Group{
	{"What to run", []string{"model", "models", "dataset", "data", "categories", "ids", "limit", "sample", "variant", "seed", "trials", "shard"}},
	{"How to ask", []string{"mode", "underscore-to-dot", "dialect", "read", "chat-template", "base-url", "api-version", "header", "temperature", "max-tokens", "reasoning-effort", "stream"}},
	{"How fast, how much", []string{"concurrency", "rpm", "tpm", "max-cost", "share-equal", "request-timeout", "server-wait", "agent-calls", "agent-time", "grace"}},
	{"How calls are carried out", []string{"api", "api-replay", "embedder", "search", "search-record", "allow-host"}},
	{"Where to write, and what", []string{"run-dir", "resume", "exclude-state-log", "include-input-log", "otel"}},
}

// Register defines the flags in a flag set.
func (o *Options) Register(set *flag.FlagSet) {
	set.StringVar(&o.Model, "model", "oracle", "the `model` to ask: oracle, heuristic, replay:<dir>, command:<program>, agent:<program>, openai:<id>, responses:<id>, anthropic:<id> and so on, or a name from models.yaml")
	set.StringVar(&o.Models, "models", "", "a `file` of models of your own (default $BFCL_MODELS, else ./models.yaml if it exists)")
	set.StringVar(&o.Dataset, "dataset", "starter", "the `dataset`: starter (embedded), v4, v1, or a folder of dataset files")
	set.StringVar(&o.Data, "data", "", "the `folder` that holds v4/ and v1/ (default $BFCL_DATA, else bfcl in the user cache directory)")
	o.Categories = "all"
	set.Var(word{&o.Categories}, "categories", "`names` of categories and groups, comma separated")
	set.Var(word{&o.IDs}, "ids", "case `ids`, comma separated, or @file with one per line (default all)")
	set.IntVar(&o.Limit, "limit", 0, "ask only this many `cases`, taken from the categories in turn: a first look at a new server, not a score of the benchmark (0 asks all)")
	set.StringVar(&o.Sample, "sample", "", "ask only this many `cases`, chosen by -seed to estimate the overall best: 500, or 500,by=size in the dataset's proportions")
	set.Uint64Var(&o.Seed, "seed", 1, "the `number` that decides which cases a sample takes and how variants change them; a smaller sample is part of a larger one with the same seed")
	set.StringVar(&o.Variant, "variant", "", "also ask the cases put differently, with the same right answer: `names` of variants, with none for the plain cases, such as none,order,names,distractors:8 (see docs/variants.md)")
	set.IntVar(&o.Trials, "trials", 1, "`runs` per case, each a subtest")
	set.StringVar(&o.Shard, "shard", "", "run one `part` of several, index/count from 0, such as 0/8 (default from the CI system or cluster, else everything)")
	set.StringVar(&o.Mode, "mode", "", "how calls travel: `fc or prompt` (default the model's own)")
	set.StringVar(&o.Underscores, "underscore-to-dot", "", "whether the model sees dots in function names as underscores: `yes or no` (default the model's own, else yes in fc mode and no in prompt mode)")
	set.StringVar(&o.Dialect, "dialect", "", "how the model writes calls, a `name` such as hermes, granite or prompt-search (default by mode)")
	set.StringVar(&o.Read, "read", "server", "what finds the calls in chat completions: `server or dialect` (the server's tool parser, or the dialect here with tool_choice none)")
	set.StringVar(&o.ChatTemplate, "chat-template", "", "the chat template that completions:<id> writes prompts with: a .jinja `file`, a tokenizer_config.json or the model's folder; or upstream, as the dialect's handler writes them")
	set.StringVar(&o.BaseURL, "base-url", "", "the `address` of the model's server (default the model's own)")
	set.StringVar(&o.APIVersion, "api-version", "", "Azure's api-version, a `date`")
	set.Var(&o.Headers, "header", "a `header` to send, \"Name: value\"; ${VAR} in the value is taken from the environment; may be repeated")
	set.Var(&o.Temperature, "temperature", "the sampling `temperature` (default the model's own, else 0.001 as in upstream)")
	set.Var(&o.MaxTokens, "max-tokens", "the longest answer in `tokens` (default the server's own)")
	set.StringVar(&o.ReasoningEffort, "reasoning-effort", "", "how hard to think, a `word` that the model knows, such as low or high")
	set.BoolVar(&o.Stream, "stream", false, "ask for answers as streams, for servers that only stream and to measure the time to the first token (openai only)")
	set.IntVar(&o.Concurrency, "concurrency", 0, "`cases` in flight (default by adapter; for servers, as many as they can take)")
	set.IntVar(&o.RPM, "rpm", 0, "the most `requests` per minute (default the model's own)")
	set.IntVar(&o.TPM, "tpm", 0, "the most `tokens` per minute (default the model's own)")
	set.Var(budget{&o.MaxCost}, "max-cost", "stop once the run has cost this many `dollars`; -resume continues")
	set.BoolVar(&o.ShareEqual, "share-equal", false, "ask equal questions that are in flight at the same time only once, to save money: such cases share one answer")
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
	set.StringVar(&o.RunDir, "run-dir", "", "the `folder` to write the run into (default results/<model>; nothing is written for oracle)")
	set.BoolVar(&o.Resume, "resume", false, "continue in the run folder: reuse answers recorded there, ask only what is missing")
	set.BoolVar(&o.ExcludeStateLog, "exclude-state-log", false, "leave the simulators' states out of the records of multi-turn cases")
	set.BoolVar(&o.OTel, "otel", false, "send a trace of each case to the OpenTelemetry collector at $OTEL_EXPORTER_OTLP_ENDPOINT (http/protobuf); needs a build with -tags otel")
	set.BoolVar(&o.IncludeInputLog, "include-input-log", false, "write what each request says into the records of multi-turn cases")
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
