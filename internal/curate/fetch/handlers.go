package fetch

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/gobfcl/bfcl/internal/pose/completion"
	"github.com/gobfcl/bfcl/internal/python/pyliteral"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// The folders that hold upstream's handlers of local models, and of API models.
const (
	handlerFolder = "bfcl_eval/model_handler/local_inference/"
	apiFolder     = "bfcl_eval/model_handler/api_inference/"
)

// A handlerText is a text of one of those handlers. It is found by the SHA-256
// of its parts, wherever in the sources they are.
type handlerText struct {
	dialect, key string
	// parts are fingerprints: of a chat template as the handler quotes it (see
	// quotedTemplates), or of consecutive texts (see pyliteral.Fingerprint).
	parts []string
	// after and before are marks around the text if it is only a piece of those
	// parts; "" for their beginning and their end.
	after, before string
}

// handlerTexts are the texts that package completion uses.
var handlerTexts = []handlerText{
	{dialect: "arch", key: "template", parts: []string{"f64e94687e8dbd10db530023191f24e9a8bc27ebf131ee888f67849cef7e998e"}},
	{dialect: "bielik", key: "template", parts: []string{"a805e50fed68938a076b07e2e602639611b50b1ced0e50f11eb92f1ba25be4dc"}},
	{dialect: "bitagent", key: "instructions", parts: []string{
		"50ee936a6d45bf4511c7a64847f00f1543a227675afb00a6d4fc3da33de8f62a",
		"e82a24a426a157a41d35357d1a7d7284e7f5ef49273dda7b3742c9045b023c0c",
		"d0fe9ece66e36e080150766e5e9ce9a6c9b89eddb61e0d32bbbd178129bc7566",
		"ebb23692ccb878052055a548381dea52a50604368e414bebfb2c03497900b78d",
		"6f25531406dc50d678a68e0ba991248de5da70049accbe11ce10e19f66d2f5d0",
	}},
	{dialect: "bitagent", key: "system", parts: []string{"52c8fbd0122babd13614d0683634fd53f8f56f703c5c29268c57289ababb690f"}},
	{dialect: "deepseek-r1", key: "template", parts: []string{"563b1ce7d61d50a9b4c7439a912a1116f095b712df5b5e4d3e1116049874eb64"}},
	{dialect: "dm-cito", key: "before", parts: []string{"6ccf6ef43fe665603664a654f623f30e786cca816dec5bda95325c6886041b45"}, before: "{}"},
	{dialect: "dm-cito", key: "after", parts: []string{
		"6ccf6ef43fe665603664a654f623f30e786cca816dec5bda95325c6886041b45",
		"c34442a74602bae1b05da1343877049b8e55a80d32d5d1bce2d326d28bb3f94d",
	}, after: "{}"},
	{dialect: "functiongemma", key: "system", parts: []string{"3b8c37f28584b8456ddf9be56afe89cc3de809e2a596883a8741d3d6aa99eb48"}},
	{dialect: "glm", key: "template", parts: []string{"27288f957f8364c990a2ce13bf5f8bf86921c4bce467ce698c76dcc69466d821"}},
	{dialect: "granite", key: "before", parts: []string{"43f2912450eb10e1d44bc29a91e530b0e2f32c361541eac1a1e680b14fb75a0f"}, before: "{functions_str}"},
	{dialect: "granite", key: "after", parts: []string{"43f2912450eb10e1d44bc29a91e530b0e2f32c361541eac1a1e680b14fb75a0f"}, after: "{functions_str}"},
	{dialect: "granite-3", key: "template", parts: []string{"40cae2ac6f68a5b17a5c1c3ab8c654a3c8416a1c3898664a4a590938255afc8f"}},
	{dialect: "granite-3", key: "alone", parts: []string{"b046eb6f889f8afd7ba763dc97abcbc424bc5cb12c15b9b852947874d51d57a9"}},
	{dialect: "granite-4", key: "template", parts: []string{"22e1cd74578c738a57d39241d1592fe958f20e5514b491530dd2142ce89cb017"}},
	{dialect: "hammer", key: "system", parts: []string{"30281fbf78bf4e736106f8d6de539b7f74beeb04f8b1ad37659c68b113b65202"}, after: "<|im_start|>system\n", before: "<|im_end|>"},
	{dialect: "hammer", key: "format", parts: []string{"b1ffcf220621c4c423b4ac97f0b90fa7876da8abfb4687308870b663c6713b75"}},
	{dialect: "hammer", key: "task", parts: []string{"9ddf7c74c06a3e06cceafe842cd7ff3825d54b4afc871e3958355fdddcd0cefb"}},
	{dialect: "llama-fc", key: "template", parts: []string{"44488ec6bd8493a2e79d3695492a0ebcc793849400f33dc6ff28eb656bcd1e6e"}},
	{dialect: "minicpm", key: "template", parts: []string{"153280e3ff55d19da1398bdb3914ee2a51b80429bfaedde11d7d216c39db80f3"}},
	{dialect: "mistral-fc", key: "template", parts: []string{"e7deee034838db2bfc7487788a3013d8a307ab69f72f3c54a85f06fd76007d4e"}},
	{dialect: "nanbeige", key: "template", parts: []string{"a55ee1b1660128b7098723e0abcd92caa0788061051c62d51cbe87d9cf1974d8"}},
	{dialect: "nanbeige", key: "alone", parts: []string{"6cebf2ccb721ae0dcb4a2b9a07cf71b3fd4b8c3cc5167464163fab8356584913"}, after: "<|im_start|>system\n", before: "<|im_end|>"},
	{dialect: "nanbeige", key: "tools", parts: []string{"a7dce1bc7f46729e8d3744a82e3555b4925b4f7db07504e5de24f98ccdbed6e5"}},
	{dialect: "nemotron", key: "before", parts: []string{"f9c8ee4b7bde44701b14cfc314f477b38f3836948ebdd5ac26e89ee52d8da504"}, before: "{functions}"},
	{dialect: "nemotron", key: "between", parts: []string{"f9c8ee4b7bde44701b14cfc314f477b38f3836948ebdd5ac26e89ee52d8da504"}, after: "{functions}", before: "{user_prompt}"},
	{dialect: "pelican", key: "alone", parts: []string{"e436bdf4dea4c515c0e33338ef8d0ded82c6c138aeee4199d821e86763b55b36"}, after: "<|im_start|>system\n", before: "<|im_end|>"},
	{dialect: "pelican", key: "after", parts: []string{
		"797663b59d2d93cb3e5108beacbc50592d13319b037e82e8976711c8ffe76d49",
		"a90e9dc7c7939ea7c13b2360e51e17b849657c9667b6ee63171993b973c86b3e",
		"7a5d97bb6d3a82d0abf4912de72a367cdd2adf934c07f39f9d239e0aa7e20106",
		"9182ce15eaa3118cadbdf97961707a8006969b4caeb8de84e701c96efc61f23e",
	}},
	{dialect: "pelican", key: "before", parts: []string{
		"795b6f0c373f085731d0f89e54011270f5f97e07856b821e4c187bdc27c27389",
		"3cefb1c39ed6cc77480f644b0806c1b33bb2875ea6049c7963f4ba286928769b",
		"bc17562c5353c8f17bac6b037e41fc13d8762f69786608842f368b6cf949ffdc",
	}},
	{dialect: "phi", key: "template Phi-4-mini", parts: []string{"febf589225c9728ab791f52e8897d7607a823d45368f0a4c92fa68997b40cce9"}},
	{dialect: "phi-fc", key: "template", parts: []string{"febf589225c9728ab791f52e8897d7607a823d45368f0a4c92fa68997b40cce9"}},
	{dialect: "phi-fc", key: "system", parts: []string{"7e7df1a5836684688f503932a9befb32b78ec3dcbb1b2a231c6ab145944d762f"}},
	{dialect: "qwen", key: "template", parts: []string{"a55ee1b1660128b7098723e0abcd92caa0788061051c62d51cbe87d9cf1974d8"}},
	{dialect: "qwen-fc", key: "template", parts: []string{"a55ee1b1660128b7098723e0abcd92caa0788061051c62d51cbe87d9cf1974d8"}},
	{dialect: "thinkagent", key: "system", parts: []string{
		"58ee138b404b1f29bc60cf1fcb3cfeb462f01f14892cf4362014f8eb2f1a9444",
		"6434696117a715b3972afc09f35150a757b744eb882932c52e255c7a1bc3948a",
	}},
	{dialect: "thinkagent", key: "task", parts: []string{
		"b7f48660145a7fa8a30b1f9909583d72c720b29c6f23e0970b4ddf698f876b19",
		"8476b9a629087202de62ae336ca0bebebe4e9d3b77e9fb3c10e81eb203e485f6",
		"5238fc2fd37aeb004aadcb0f3176cf0065ef895d6a0da5d0403404aff0a49e1d",
		"dd54cc227fb4cd0e310755719421599dfa6eec8ae98ef613a654300ad3f0f2c9",
	}},
	{dialect: "xlam-llama", key: "instructions", parts: []string{
		"50ee936a6d45bf4511c7a64847f00f1543a227675afb00a6d4fc3da33de8f62a",
		"e82a24a426a157a41d35357d1a7d7284e7f5ef49273dda7b3742c9045b023c0c",
		"d0fe9ece66e36e080150766e5e9ce9a6c9b89eddb61e0d32bbbd178129bc7566",
		"ebb23692ccb878052055a548381dea52a50604368e414bebfb2c03497900b78d",
		"6f25531406dc50d678a68e0ba991248de5da70049accbe11ce10e19f66d2f5d0",
	}},
	{dialect: "xlam-llama", key: "system", parts: []string{"b095a9cf87847aaf443e06da3be61a4b5d2ae80fd3c52462b0ad400d415b65c3"}},
	{dialect: "xlam-qwen", key: "instructions", parts: []string{
		"50ee936a6d45bf4511c7a64847f00f1543a227675afb00a6d4fc3da33de8f62a",
		"e82a24a426a157a41d35357d1a7d7284e7f5ef49273dda7b3742c9045b023c0c",
		"d0fe9ece66e36e080150766e5e9ce9a6c9b89eddb61e0d32bbbd178129bc7566",
		"ebb23692ccb878052055a548381dea52a50604368e414bebfb2c03497900b78d",
		"6f25531406dc50d678a68e0ba991248de5da70049accbe11ce10e19f66d2f5d0",
	}},
	{dialect: "xlam-qwen", key: "system", parts: []string{"b095a9cf87847aaf443e06da3be61a4b5d2ae80fd3c52462b0ad400d415b65c3"}},
}

// handlers returns the file of the handlers' texts; an empty object if the
// sources have no such handlers.
func (d *deriver) handlers() ([]byte, error) {
	found := d.handlerShapes()
	out := pyval.NewDict(len(handlerTexts))
	for _, t := range handlerTexts {
		if found == nil {
			break
		}
		text, ok := t.find(found)
		if !ok {
			d.miss("%s: no handler has the text known as %s.%s", completion.TextsFile, t.dialect, t.key)
			continue
		}
		texts, _ := out.GetStr(t.dialect)
		if texts == nil {
			texts = pyval.NewDict(4)
			out.SetStr(t.dialect, texts)
		}
		texts.(*pyval.Dict).SetStr(t.key, pyval.Str(text))
	}
	return pyval.AppendJSON(nil, out, pyval.JSONUnicode)
}

// handlerShapes returns a function that looks up a text of the handlers by its
// fingerprint.
func (d *deriver) handlerShapes() func(fingerprint string) (string, bool) {
	templates := map[string]string{}
	var modules []*pyliteral.Module
	for _, file := range d.places("") {
		if folder := path.Dir(file) + "/"; folder != handlerFolder && folder != apiFolder {
			continue
		}
		m := d.module(file)
		if m == nil {
			continue
		}
		modules = append(modules, m)
		for _, source := range m.Docs() {
			for _, template := range quotedTemplates(source) {
				templates[pyliteral.Fingerprint(template)] = template
			}
		}
	}
	if modules == nil {
		return nil
	}
	return func(fingerprint string) (string, bool) {
		if text, ok := templates[fingerprint]; ok {
			return text, true
		}
		i := slices.IndexFunc(modules, func(m *pyliteral.Module) bool {
			_, ok := m.Text(fingerprint)
			return ok
		})
		if i < 0 {
			return "", false
		}
		return modules[i].Text(fingerprint)
	}
}

// find puts a text together from its parts.
func (t *handlerText) find(text func(fingerprint string) (string, bool)) (string, bool) {
	var whole strings.Builder
	for _, fingerprint := range t.parts {
		part, ok := text(fingerprint)
		if !ok {
			return "", false
		}
		whole.WriteString(part)
	}
	out, began, ended := whole.String(), true, true
	if t.after != "" {
		_, out, began = strings.Cut(out, t.after)
	}
	if t.before != "" {
		out, _, ended = strings.Cut(out, t.before)
	}
	return out, began && ended && out != ""
}

var (
	templateLine   = regexp.MustCompile(`(?m)^[ \t]*"chat_template":[ \t]*\n`)
	templateString = regexp.MustCompile(`(?s)"chat_template":\s*("(?:[^"\\]|\\.)*")`)
)

// quotedTemplates returns the chat templates that a docstring may hold: as a
// JSON string in which line breaks are not escaped, below a line that names it,
// or as the whole docstring. Common indentation and surrounding empty lines are
// removed.
func quotedTemplates(source string) []string {
	var out []string
	for _, m := range templateString.FindAllStringSubmatch(source, -1) {
		if v, err := pyval.ParseJSON(strings.NewReplacer("\n", `\n`, "\t", `\t`).Replace(m[1])); err == nil {
			out = append(out, trimmed(pyval.Text(v)))
		}
	}
	if at := templateLine.FindStringIndex(source); at != nil {
		source = source[at[1]:]
	}
	return append(out, trimmed(dedented(source)))
}

func trimmed(s string) string {
	return strings.TrimRightFunc(strings.TrimLeft(s, "\n"), pyval.IsSpace)
}

// dedented returns a text without the blanks that all its lines begin with.
// Blank lines become empty.
func dedented(s string) string {
	lines := strings.Split(s, "\n")
	indent := -1
	for i, line := range lines {
		if strings.TrimLeft(line, " \t") == "" {
			lines[i] = ""
			continue
		}
		if n := len(line) - len(strings.TrimLeft(line, " ")); indent < 0 || n < indent {
			indent = n
		}
	}
	for i, line := range lines {
		lines[i] = line[min(max(indent, 0), len(line)):]
	}
	return strings.Join(lines, "\n")
}
