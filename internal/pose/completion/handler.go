package completion

import (
	"embed"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/pose/jinja"
	"github.com/gobfcl/bfcl/internal/pose/tool"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

//go:embed frames/*.jinja
var frames embed.FS

// A handler is how upstream writes the prompts of a family of models: one row
// of data. Its template is one of the derived texts, or a frame here that puts
// them in place.
type handler struct {
	// dialect is the family's; model is part of the names of those of its
	// models that the row is for, "" for all.
	dialect, model string
	// frame is a template of ours; "" takes the text "template".
	frame string
	// needed are the texts that it puts in place, by name.
	needed []string
	// system says that functions stand in upstream's system prompt; together
	// says that a step's results stand in one message.
	system, together bool
	// vars are the template's variables beside messages and tools.
	vars map[string]string
	// edits are replaced in a derived template: where upstream's own code
	// does something else than the template that it quotes.
	edits []string
	// untrimmed templates keep the line break behind a tag.
	untrimmed bool
	// silent leaves the generation prompt out.
	silent bool
	// tools is the form of function documents; nil leaves them bare. style is
	// that of schemas which they are turned into instead.
	tools form
	style tool.Style
	// reshapes says that tools are put into a form in which not all of a JSON
	// Schema can stand, so that they cannot be shown as they are written.
	reshapes bool
	// steps change the messages, one after the other.
	steps []step
	// cut is taken out of the text, once.
	cut func(h *Handler, tools int) (before, after string)
	// underscores says that the model sees dots in function names as "_".
	underscores bool
	// stop are the tokens that end an answer, sent if there are any.
	stop []int64
}

type (
	form func(h *Handler, docs []*pyval.Dict, messages []eval.Message) (pyval.Value, error)
	step func(h *Handler, messages []*pyval.Dict, tools pyval.Value) []*pyval.Dict
)

// A Handler writes prompts as upstream does for one model.
type Handler struct {
	handler
	texts    map[string]string
	wording  *tool.Wording
	template *jinja.Template
}

// NewHandler makes the handler of a dialect for a model. Its texts are those
// that were derived from upstream's sources.
func NewHandler(dialect, model string, texts Texts, w *tool.Wording) (*Handler, error) {
	row, err := rowOf(dialect, model)
	if err != nil {
		return nil, err
	}
	h := &Handler{handler: row, texts: texts[dialect], wording: w}
	for _, key := range row.needs() {
		if h.texts[key] == "" {
			return nil, fmt.Errorf("upstream's text %s.%s is missing: `bfcl fetch v4` derives it from the pinned archive", dialect, key)
		}
	}
	src := h.texts[row.key()]
	if row.frame != "" {
		data, err := frames.ReadFile("frames/" + row.frame + ".jinja")
		if err != nil {
			return nil, err
		}
		src = string(data)
	}
	src = strings.NewReplacer(row.edits...).Replace(src)
	o := jinja.Options{TrimBlocks: !row.untrimmed, LStripBlocks: true, ASCII: true, Now: published}
	h.template, err = jinja.Parse("upstream's template of "+dialect, src, o)
	return h, err
}

// published is the day that upstream's handlers write where templates ask for
// today's.
func published() time.Time { return time.Date(2025, time.April, 29, 0, 0, 0, 0, time.UTC) }

// key is the name of the derived template: models of one dialect may have
// their own.
func (r *handler) key() string {
	if r.model != "" {
		return "template " + r.model
	}
	return "template"
}

// needs are the names of the texts of a row.
func (r *handler) needs() []string {
	if r.frame != "" {
		return r.needed
	}
	return append([]string{r.key()}, r.needed...)
}

// rowOf is the row of a dialect for a model.
func rowOf(dialect, model string) (handler, error) {
	for _, r := range handlers {
		if r.dialect == dialect && strings.Contains(model, r.model) {
			return r, nil
		}
	}
	if dialect == "" {
		return handler{}, fmt.Errorf("-chat-template=upstream needs -dialect, which says how the model writes calls: one of %s", strings.Join(Dialects(), ", "))
	}
	if why, ok := leftOut[dialect]; ok {
		return handler{}, fmt.Errorf("upstream's prompts of the dialect %s cannot be written here: %s", dialect, why)
	}
	return handler{}, fmt.Errorf("upstream writes no prompts of its own for the dialect %q: -chat-template=upstream works with %s", dialect, strings.Join(Dialects(), ", "))
}

// Dialects returns those that upstream has handlers of, in their order.
func Dialects() []string {
	var out []string
	for _, r := range handlers {
		if !slices.Contains(out, r.dialect) {
			out = append(out, r.dialect)
		}
	}
	return out
}

// Has reports whether there is a handler of a dialect.
func Has(dialect string) bool { return slices.Contains(Dialects(), dialect) }

// Underscores reports whether the models of a dialect see dots in function
// names as underscores, upstream's underscore_to_dot.
func Underscores(dialect string) bool {
	return slices.ContainsFunc(handlers, func(r handler) bool { return r.dialect == dialect && r.underscores })
}

// Manner is upstream's: functions that come later are described as text, since
// its local models are never asked by their tool calls.
func (h *Handler) Manner() eval.Manner {
	return eval.Manner{SystemPrompt: h.system, MoreAsText: true, ToolMessages: !h.together}
}

// Body returns what upstream sends beside the prompt.
func (h *Handler) Body(string) *pyval.Dict {
	out := pyval.NewDict(1)
	if len(h.stop) > 0 {
		ids := &pyval.List{}
		for _, id := range h.stop {
			ids.Items = append(ids.Items, pyval.MakeInt(id))
		}
		out.SetStr("stop_token_ids", ids)
	}
	return out
}

// Context is not known: it is the model's.
func (h *Handler) Context() int { return 0 }

// toolsOf are the tools that the template gets: the documents in the handler's
// form, or the schemas that a suite's owner wrote.
func (h *Handler) toolsOf(docs, sent []*pyval.Dict, messages []eval.Message) (pyval.Value, error) {
	shown := docs
	if sent != nil {
		if err := Verbatim(h.dialect); err != nil {
			return nil, err
		}
		shown = sent
	}
	switch {
	case h.style != "" && sent != nil:
		return tool.Written(sent, h.style)
	case h.style != "":
		return h.wording.Convert(docs, h.style)
	case h.tools != nil:
		return h.tools(h, shown, messages)
	}
	return bare(h, shown, messages)
}

// Verbatim refuses a dialect whose handlers cannot show tools as a suite's owner
// wrote them.
func Verbatim(dialect string) error {
	if slices.ContainsFunc(handlers, func(r handler) bool { return r.dialect == dialect && r.reshapes }) {
		return fmt.Errorf("upstream's prompts of the dialect %s write tools in a form of their own, but the suite's tools are sent verbatim: set `send: bfcl` in its suite.yaml, or give the model's own template with -chat-template=<its folder>", dialect)
	}
	return nil
}

// Write is upstream's prompt, which has forms of its own for tools.
func (h *Handler) Write(messages []eval.Message, docs, sent []*pyval.Dict) (string, error) {
	tools, err := h.toolsOf(docs, sent, messages)
	if err != nil {
		return "", &eval.InfraError{Kind: "tool_schema", Err: err}
	}
	list := plain(messages)
	for _, do := range h.steps {
		list = do(h, list, tools)
	}
	vars := pyval.NewDict(8)
	for name, text := range h.vars {
		vars.SetStr(name, pyval.Str(text))
	}
	vars.SetStr("texts", named(h.texts))
	vars.SetStr("messages", dicts(list))
	vars.SetStr("tools", tools)
	vars.SetStr("add_generation_prompt", pyval.Bool(!h.silent))
	text, err := h.template.Render(vars)
	if err != nil {
		return "", eval.Infra("chat_template", "%w", err)
	}
	if h.cut != nil {
		before, after := h.cut(h, len(docs))
		text = strings.Replace(text, before, after, 1)
	}
	return text, nil
}

func named(texts map[string]string) *pyval.Dict {
	d := pyval.NewDict(len(texts))
	for key, text := range texts {
		d.SetStr(key, pyval.Str(text))
	}
	return d
}

func dicts(list []*pyval.Dict) *pyval.List {
	out := pyval.MakeList(len(list))
	for i, d := range list {
		out.Items[i] = d
	}
	return out
}

// own marks the messages that the model itself wrote, as opposed to the
// dataset's; templates do not look at it.
const ownMark = "own"

// plain are messages as upstream's handlers have them.
func plain(messages []eval.Message) []*pyval.Dict {
	out := make([]*pyval.Dict, len(messages))
	var ids []pyval.Value
	for i, m := range messages {
		d := message(m.Role, m.Content)
		raw, wrote := m.Raw.(*pyval.Dict)
		switch {
		case wrote:
			d, ids = written(raw)
			d.SetStr(ownMark, pyval.Bool(true))
		case m.Role == "tool":
			d.SetStr("name", pyval.Str(m.Name))
			if len(ids) > 0 {
				d.SetStr("tool_call_id", ids[0])
				ids = ids[1:]
			}
		}
		out[i] = d
	}
	return out
}

func message(role, content string) *pyval.Dict {
	d := pyval.NewDict(4)
	d.SetStr("role", pyval.Str(role))
	d.SetStr("content", pyval.Str(content))
	return d
}

// written is a message that the model wrote, with the ids of its calls. A call
// that lacks its arguments has none: upstream gives such a conversation up.
func written(raw *pyval.Dict) (*pyval.Dict, []pyval.Value) {
	raw = markedCalls(raw)
	d := raw.Clone()
	v, _ := raw.GetStr("tool_calls")
	list, ok := v.(*pyval.List)
	if !ok {
		return d, nil
	}
	var ids []pyval.Value
	calls := pyval.MakeList(len(list.Items))
	for i, item := range list.Items {
		call, ok := item.(*pyval.Dict)
		if !ok {
			call = pyval.NewDict(2)
		}
		if id, ok := call.GetStr("id"); ok {
			ids = append(ids, id)
		}
		calls.Items[i] = whole(call)
	}
	d.SetStr("tool_calls", calls)
	return d, ids
}

// whole is a call with a name and arguments.
func whole(call *pyval.Dict) *pyval.Dict {
	if call.Has("function") || call.Has("name") && call.Has("arguments") {
		return call
	}
	call = call.Clone()
	if !call.Has("name") {
		call.SetStr("name", pyval.Str(""))
	}
	if !call.Has("arguments") {
		call.SetStr("arguments", pyval.NewDict(0))
	}
	return call
}
