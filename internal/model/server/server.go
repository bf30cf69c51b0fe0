// Package server finds out which server stands between the suite and a model,
// and how it was started: what it is, how much context each request gets, and
// which template and tool parser write and read the model's text. Servers tell
// some of it at addresses of their own; nothing here asks the model.
package server

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/gobfcl/bfcl/internal/pattern"
	"github.com/gobfcl/bfcl/internal/read/dialect"
)

// The kinds of servers that are recognized.
const (
	LlamaCpp = "llama.cpp"
	Ollama   = "Ollama"
	VLLM     = "vLLM"
	SGLang   = "SGLang"
)

// Facts are what a server tells about itself. What it does not tell is zero.
type Facts struct {
	// Kind is one of the kinds above.
	Kind string `json:"kind,omitempty"`
	// Version is as the server writes it.
	Version string `json:"version,omitempty"`
	// Context is how many tokens a prompt and its answer may have together.
	Context int `json:"context,omitempty"`
	// Slots is how many requests are worked on at once.
	Slots int `json:"slots,omitempty"`
	// Template is the beginning of the SHA-256 of the chat template.
	Template string `json:"template,omitempty"`
	// Parser is the name of the tool parser, of servers where one is chosen.
	Parser string `json:"parser,omitempty"`
	// Grammar reports whether the server constrains calls by a grammar.
	Grammar bool `json:"grammar,omitempty"`
	// Calls says how many calls an answer may hold, as far as it is known: what
	// the chat template of the model's family writes, or what arrived.
	Calls string `json:"parallel_calls,omitempty"`
	// Model is the name under which the server keeps the model, of servers that
	// tell another than the one asked for, and Dialect how its template writes
	// calls; "" if they are not known.
	Model   string `json:"model,omitempty"`
	Dialect string `json:"dialect,omitempty"`
	// Cuts reports whether the server cuts prompts that do not fit, instead of
	// refusing them.
	Cuts bool `json:"cuts,omitempty"`
}

// String returns the facts in a few words, "" if there are none.
func (f Facts) String() string {
	if f == (Facts{}) {
		return ""
	}
	parts := []string{strings.TrimSpace(cmp.Or(f.Kind, "a server") + " " + f.Version)}
	if f.Context > 0 {
		parts = append(parts, fmt.Sprintf("%d tokens of context", f.Context))
	}
	if f.Slots > 0 {
		parts = append(parts, fmt.Sprintf("%d at once", f.Slots))
	}
	if f.Parser != "" {
		parts = append(parts, "tool parser "+f.Parser)
	}
	if f.Grammar {
		parts = append(parts, "calls constrained by a grammar")
	}
	if f.Calls != "" {
		parts = append(parts, "parallel calls: "+f.Calls)
	}
	if f.Template != "" {
		parts = append(parts, "template "+f.Template)
	}
	return strings.Join(parts, ", ")
}

// An Asker asks a server for a path below its root, with a body in JSON if there
// is one. It returns what the server tells, nil if it has nothing there, and
// whether it replied at all.
type Asker func(ctx context.Context, path string, body []byte) (told []byte, replied bool)

// A listener is an Asker that notes whether something is still to be asked.
type listener struct {
	ask  Asker
	open bool
}

// told reads what a server tells at a path. What is missing or of another type
// stays zero.
func (l *listener) told(ctx context.Context, path string, body []byte, into any) {
	text, replied := l.ask(ctx, path, body)
	l.open = l.open || !replied
	_ = json.Unmarshal(text, into)
}

// kinds are how each kind is told apart, and what it tells.
var kinds = []func(ctx context.Context, l *listener, model string) Facts{llamaCpp, ollama, sglang, vllm}

// Look returns what the server of a model tells about itself, and whether that
// is settled: whether it replied to all that had to be asked. It is asked for all
// kinds at once, because a busy server may reply late.
func Look(ctx context.Context, ask Asker, model string) (f Facts, settled bool) {
	all, open := make([]Facts, len(kinds)), make([]bool, len(kinds))
	var wg sync.WaitGroup
	for i, kind := range kinds {
		wg.Go(func() {
			l := &listener{ask: ask}
			all[i], open[i] = kind(ctx, l, model), l.open
		})
	}
	wg.Wait()
	i := slices.IndexFunc(all, func(f Facts) bool { return f.Kind != "" })
	if i < 0 {
		return Facts{}, !slices.Contains(open, true)
	}
	if family, ok := dialect.FamilyOf(model); ok {
		all[i].Calls = string(family.Turn) + " in its family's template"
	}
	return all[i], !open[i]
}

// llamaCpp reads llama-server's /props. Its context is that of one slot.
func llamaCpp(ctx context.Context, l *listener, _ string) Facts {
	var props struct {
		Settings struct {
			Context int `json:"n_ctx"`
		} `json:"default_generation_settings"`
		Build    string `json:"build_info"`
		Slots    int    `json:"total_slots"`
		Template string `json:"chat_template"`
	}
	l.told(ctx, "/props", nil, &props)
	if props.Slots == 0 && props.Settings.Context == 0 {
		return Facts{}
	}
	return Facts{Kind: LlamaCpp, Version: props.Build, Context: props.Settings.Context, Slots: props.Slots, Template: digest(props.Template), Dialect: writes(props.Template), Grammar: true}
}

// sglang reads SGLang's /get_server_info.
func sglang(ctx context.Context, l *listener, _ string) Facts {
	var info struct {
		Model    string `json:"model_path"`
		Version  string `json:"version"`
		Parser   string `json:"tool_call_parser"`
		Context  int    `json:"context_length"`
		Input    int    `json:"max_req_input_len"`
		Requests int    `json:"max_running_requests"`
	}
	l.told(ctx, "/get_server_info", nil, &info)
	if info.Model == "" {
		return Facts{}
	}
	return Facts{Kind: SGLang, Version: info.Version, Model: info.Model, Parser: info.Parser, Context: cmp.Or(info.Context, info.Input), Slots: info.Requests}
}

// vllm reads the list of models, which names its owner, and the version.
func vllm(ctx context.Context, l *listener, model string) Facts {
	var models struct {
		Data []struct {
			ID      string `json:"id"`
			Root    string `json:"root"`
			Owner   string `json:"owned_by"`
			Context int    `json:"max_model_len"`
		}
	}
	l.told(ctx, "/v1/models", nil, &models)
	for _, m := range models.Data {
		if m.Owner == "vllm" && (model == "" || m.ID == model) {
			var about struct{ Version string }
			l.told(ctx, "/version", nil, &about)
			return Facts{Kind: VLLM, Version: about.Version, Model: m.Root, Context: m.Context}
		}
	}
	return Facts{}
}

// ollama reads which model is loaded with what context and, if it is not loaded
// yet, what the model itself states.
func ollama(ctx context.Context, l *listener, model string) Facts {
	var about struct{ Version string }
	if l.told(ctx, "/api/version", nil, &about); about.Version == "" {
		return Facts{}
	}
	f := Facts{Kind: Ollama, Version: about.Version, Cuts: true}
	var loaded struct {
		Models []struct {
			Name    string
			Context int `json:"context_length"`
		}
	}
	l.told(ctx, "/api/ps", nil, &loaded)
	for _, m := range loaded.Models {
		if named(m.Name, model) {
			f.Context = m.Context
		}
	}
	var shown struct{ Template, Parameters string }
	body, _ := json.Marshal(map[string]string{"model": model})
	l.told(ctx, "/api/show", body, &shown)
	f.Template, f.Dialect = digest(shown.Template), writes(shown.Template)
	if f.Context == 0 {
		f.Context = numCtx(shown.Parameters)
	}
	l.open = l.open || f.Context == 0 // the model is not loaded, or not any more
	return f
}

// named reports whether a loaded model is the one that was asked for: without a
// tag that is "latest".
func named(loaded, asked string) bool { return loaded == asked || loaded == asked+":latest" }

var numCtxLine = pattern.Of(`(?m)^num_ctx\s+(\d+)`)

func numCtx(parameters string) int {
	if m := numCtxLine().FindStringSubmatch(parameters); m != nil {
		n, _ := strconv.Atoi(m[1])
		return n
	}
	return 0
}

// writes returns the dialect in which a template writes calls, "" if it is not
// known.
func writes(template string) string {
	if d := dialect.OfTemplate(template); d != nil {
		return d.Name
	}
	return ""
}

// digest returns the beginning of a text's SHA-256, "" for no text.
func digest(text string) string {
	if text == "" {
		return ""
	}
	sum := sha256.Sum256([]byte(text))
	const enough = 6
	return hex.EncodeToString(sum[:enough])
}
