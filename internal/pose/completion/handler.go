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

// A handler says how upstream writes the prompts of a family of models. Its
// template is one of the derived texts, or a frame in this package that puts
// them in place.
type handler struct {
	// dialect is the family's. The row is for its models whose names contain
	// model; "" is for all.
	dialect, model string
	// frame is a template of this package; "" means the text "template".
	frame string
	// needed are the names of the texts that it puts in place.
	needed []string
	// system says that functions are in upstream's system prompt; together says
	// that a step's results are in one message.
	system, together bool
	// vars are the template's variables besides messages and tools.
	vars map[string]string
	// edits are replacements in a derived template, for differences between
	// upstream's own code and the template that it quotes.
	edits []string
	// untrimmed templates keep the line break behind a tag.
	untrimmed bool
	// silent leaves out the generation prompt.
	silent bool
	// tools is the form of function documents; nil leaves them bare. style, if
	// it is set, is the style of tool schemas that they are turned into
	// instead.
	tools form
	style tool.Style
	// reshapes says that tools are put into a form that cannot hold all of a
	// JSON Schema, so that they cannot be shown as they are written.
	reshapes bool
	// steps change the messages, in order.
	steps []step
	// cut returns what is replaced in the text, once.
	cut func(h *Handler, tools int) (before, after string)
	// underscores says that the model sees dots in function names as
	// underscores.
	underscores bool
	// stop are the tokens that end an answer, sent if there are any.
	stop []int64
}

type (
	form func(h *Handler, docs []*pyval.Dict, messages []eval.Message) (pyval.Value, error)
	step func(h *Handler, messages []*pyval.Dict, tools pyval.Value) []*pyval.Dict
)

// A Handler writes prompts as upstream's handler of one model does.
type Handler struct {
	handler
	texts    map[string]string
	wording  *tool.Wording
	template *jinja.Template
}

// NewHandler makes the handler of a dialect for a model from the texts that
// were derived from upstream's sources.
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

// published returns the day that upstream's handlers write when templates ask
// for the current one.
func published() time.Time { return time.Date(2025, time.April, 29, 0, 0, 0, 0, time.UTC) }

// key returns the name of the derived template: models of one dialect may have
// their own.
func (r *handler) key() string {
	if r.model != "" {
		return "template " + r.model
	}
	return "template"
}

// needs returns the names of all texts that a row needs.
func (r *handler) needs() []string {
	if r.frame != "" {
		return r.needed
	}
	return append([]string{r.key()}, r.needed...)
}

// rowOf returns the row of a dialect for a model.
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

// Dialects returns the dialects that upstream has handlers for, in the order of
// the rows.
func Dialects() []string {
	var out []string
	for _, r := range handlers {
		if !slices.Contains(out, r.dialect) {
			out = append(out, r.dialect)
		}
	}
	return out
}

// Has reports whether there is a handler for a dialect.
func Has(dialect string) bool { return slices.Contains(Dialects(), dialect) }

// Underscores reports whether the models of a dialect see dots in function
// names as underscores, upstream's underscore_to_dot.
func Underscores(dialect string) bool {
	return slices.ContainsFunc(handlers, func(r handler) bool { return r.dialect == dialect && r.underscores })
}

// Manner returns upstream's manner: functions that come later are described as
// text, because upstream never sends tools to its local models.
func (h *Handler) Manner() eval.Manner {
	return eval.Manner{SystemPrompt: h.system, MoreAsText: true, ToolMessages: !h.together}
}

// Body returns what upstream sends besides the prompt.
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

// Context returns 0: it depends on the model and is not known.
func (h *Handler) Context() int { return 0 }

// toolsOf returns the tools for the template: the documents in the handler's
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
	return pyval.ListOf(shown), nil
}

// Verbatim returns an error for a dialect whose handlers cannot show tools as a
// suite's owner wrote them.
func Verbatim(dialect string) error {
	if slices.ContainsFunc(handlers, func(r handler) bool { return r.dialect == dialect && r.reshapes }) {
		return fmt.Errorf("upstream's prompts of the dialect %s write tools in a form of their own, but the suite's tools are sent verbatim: set `send: bfcl` in its suite.yaml, or give the model's own template with -chat-template=<its folder>", dialect)
	}
	return nil
}

// Write returns upstream's prompt, which has its own forms of tools.
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
	vars.SetStr("messages", pyval.ListOf(list))
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

// ownMark marks the messages that the model itself wrote, as opposed to the
// dataset's; templates do not look at it.
const ownMark = "own"

// plain returns messages as upstream's handlers have them.
func plain(messages []eval.Message) []*pyval.Dict {
	own := func(raw *pyval.Dict) (*pyval.Dict, []pyval.Value) {
		d, ids := written(raw)
		d.SetStr(ownMark, pyval.Bool(true))
		return d, ids
	}
	return conversation(messages, own, func(name string) string { return name })
}

// conversation returns messages for a template. answer returns a message that
// the model wrote and the ids of its calls, which the results that follow refer
// to; functionOf returns the name of a result's function.
func conversation(messages []eval.Message, answer func(raw *pyval.Dict) (*pyval.Dict, []pyval.Value), functionOf func(call string) string) []*pyval.Dict {
	out := make([]*pyval.Dict, len(messages))
	var ids []pyval.Value // of the calls that have no result yet
	for i, m := range messages {
		d := message(m.Role, m.Content)
		switch raw, _ := m.Raw.(*pyval.Dict); {
		case raw != nil:
			d, ids = answer(raw)
		case m.Role == "tool":
			d.SetStr("name", pyval.Str(functionOf(m.Name)))
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
	return pyval.Object("role", pyval.Str(role), "content", pyval.Str(content))
}

// written returns a message that the model wrote, and the ids of its calls. A
// call without arguments gets empty ones; upstream gives up such a
// conversation.
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

// whole returns a call with a name and arguments, empty if it had none.
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
