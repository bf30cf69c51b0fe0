package adapters_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/adapters"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/model/catalog"
	"github.com/gobfcl/bfcl/internal/model/transport"
	"github.com/gobfcl/bfcl/internal/pose/completion"
	"github.com/gobfcl/bfcl/internal/pose/tool"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/test/adaptertest"
	"github.com/gobfcl/bfcl/internal/test/testkit"
)

// ownSchema is a schema as its owner wrote it, with what adapters and SDKs like to
// change: the order of keys, 1.0, large numbers, what the benchmark folds into
// descriptions or drops, and characters that HTML escapes.
const ownSchema = `{"type":"object","additionalProperties":false,` +
	`"$defs":{"seat":{"type":"string","pattern":"^[0-9]+[A-F]$"}},` +
	`"properties":{"zeta":{"oneOf":[{"type":"integer","minimum":1.0},{"type":"null"}]},` +
	`"alpha":{"$ref":"#/$defs/seat","description":"<b> & é"},"when":{"type":"string","format":"date-time"},` +
	`"price":{"type":"number","maximum":12345678901234567890},"mixed":{"type":["string","null"],"default":null}},"required":["zeta"]}`

const said = `Books a "flight" <now> & é.`

// verbatimRequest asks with a tool in both forms: the benchmark's, which says
// nothing of the schema, and the owner's.
func verbatimRequest(t *testing.T) *eval.Request {
	owner := pyval.NewDict(3)
	owner.SetStr("name", pyval.Str("book_flight"))
	owner.SetStr("description", pyval.Str(said))
	owner.SetStr("parameters", adaptertest.Doc(t, ownSchema))
	return &eval.Request{
		ID: "a_0", Mode: eval.FC, Messages: []eval.Message{{Role: "user", Content: "Book it."}},
		Tools: []*pyval.Dict{adaptertest.Doc(t, `{"name": "book_flight", "description": "The benchmark's.", "parameters": {"type": "dict", "properties": {"zeta": {"type": "any"}}, "required": ["zeta"]}}`)},
		Sent:  []*pyval.Dict{owner},
	}
}

// TestVerbatim: whatever adapter and style of tools, a suite's tools travel as
// they are written, byte for byte. Builds with tags hold their adapters to it.
func TestVerbatim(t *testing.T) {
	t.Setenv("AWS_REGION", "us-east-1")
	t.Setenv("AWS_ACCESS_KEY_ID", "planted")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "planted-secret-0123456789")
	template := filepath.Join(t.TempDir(), "chat_template.jinja")
	require.NoError(t, os.WriteFile(template, []byte("{% for t in tools %}{{ t | tojson(separators=(',', ':'), ensure_ascii=false) }}{% endfor %}"), 0o600))
	styles := map[string][]tool.Style{"openai": tool.Styles()}
	for _, kind := range adapters.Kinds() {
		if !kind.Remote {
			continue
		}
		for _, style := range append([]tool.Style{""}, styles[kind.Name]...) {
			name := kind.Name + " " + string(style)
			e := catalog.Entry{Name: kind.Name + ":m", Adapter: kind.Name, ID: "m", BaseURL: "https://own.example.com/v1"}
			e.Wire.ToolStyle = style
			seen := &wire{}
			cfg := adapters.Config{
				Access: catalog.Access{Entry: e, Key: "planted-key-0123456789"}, Wording: adaptertest.Wording(t), Settings: eval.SettingsFor(eval.FC),
				Transport: transport.New(transport.Options{Base: seen, MaxTries: 1}),
			}
			if kind.Name == "completions" {
				cfg.ChatTemplate, cfg.Settings.Dialect = template, "hermes"
			}
			a, err := kind.Open(cfg)
			require.NoError(t, err, name)
			_, err = a.Generate(t.Context(), verbatimRequest(t))
			require.Error(t, err, name)
			require.NotEmpty(t, seen.body, "%s: %v", name, err)
			body := seen.body
			if kind.Name == "completions" { // a text in the body
				body = pyval.Text(field(t, body, "prompt"))
			}
			if style == tool.Nexus {
				assert.NotContains(t, body, "book_flight", "that server takes no tools")
				continue
			}
			assert.Contains(t, body, ownSchema, name)
			assert.Contains(t, body, `"description":"Books a \"flight\" <now> & é."`, name)
			assert.NotContains(t, body, "The benchmark's.", name)
		}
	}
}

func field(t *testing.T, body, key string) pyval.Value {
	t.Helper()
	v, ok := adaptertest.Doc(t, body).GetStr(key)
	require.True(t, ok, body)
	return v
}

// TestVerbatimTold: upstream's texts that tell a model its tools tell it the
// owner's, and where they cannot the suite is refused.
func TestVerbatimTold(t *testing.T) {
	t.Parallel()
	req := verbatimRequest(t)
	texts := completion.Texts{}
	for _, dialect := range append(completion.Dialects(), completion.ChatNames()...) {
		texts[dialect] = map[string]string{"template": "{% for t in tools %}{{ t | tojson }}{% endfor %}{% for m in messages %}{% if m.tools is string %}{{ m.tools }}{% elif m.tools %}{{ m.tools | tojson }}{% endif %}{% endfor %}"}
		for _, key := range []string{"system", "instructions", "before", "after", "between", "alone", "task", "format", "tools", "template Phi-4-mini"} {
			texts[dialect][key] = "<" + key + ">"
		}
	}
	want := testkit.Must(pyval.JSON(adaptertest.Doc(t, ownSchema), 0))(t)
	inSystem, shown, refused := 0, 0, []string{}
	for _, dialect := range completion.Dialects() {
		h, err := completion.NewHandler(dialect, "some model", texts, adaptertest.Wording(t))
		require.NoError(t, err, dialect)
		if h.Manner().SystemPrompt {
			inSystem++ // the system prompt tells the tools
			continue
		}
		got, err := h.Write(req.Messages, req.Tools, req.Sent)
		if completion.Verbatim(dialect) != nil {
			require.ErrorContains(t, err, "send: bfcl", dialect)
			refused = append(refused, dialect)
			continue
		}
		require.NoError(t, err, dialect)
		assert.Contains(t, squeezed(got), squeezed(want), dialect)
		shown++
	}
	t.Logf("%d dialects show the tools as they are written, %d in the system prompt, refused are %v", shown, inSystem, refused)
	for _, name := range completion.ChatNames() {
		chat := testkit.Must(completion.NewChat(name, texts))(t)
		all := ""
		for _, m := range chat.Messages(req.Messages, req.Tools, req.Sent) {
			all += m.Content
		}
		assert.Contains(t, all, pyval.Repr(adaptertest.Doc(t, ownSchema)), name)
	}
}

// squeezed is a text without blanks: templates write JSON over several lines.
func squeezed(text string) string { return strings.Join(strings.Fields(text), "") }
