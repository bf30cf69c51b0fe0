// Package prompt implements prompt mode: it writes the system prompt that
// describes the functions and the form of the answer, in any of upstream's
// format configurations, and lists the cases of the category
// format_sensitivity. The texts come from the dataset's prompts.json.
package prompt

import (
	"fmt"
	"strings"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/pattern"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

type (
	// A ReturnFormat is the form in which a model should write its calls.
	ReturnFormat string
	// A DocFormat is the form in which a model is shown its functions.
	DocFormat string
	// A Layout is the form of the prompt itself.
	Layout string
	// A Style is a choice of words for the prompt's own texts.
	Style string
)

// The return formats.
const (
	ReturnPython     ReturnFormat = "python"
	ReturnJSON       ReturnFormat = "json"
	ReturnVerboseXML ReturnFormat = "verbose_xml"
	ReturnConciseXML ReturnFormat = "concise_xml"
)

// The document formats.
const (
	DocPython DocFormat = "python"
	DocXML    DocFormat = "xml"
	DocJSON   DocFormat = "json"
)

// The layouts.
const (
	Plaintext Layout = "plaintext"
	Markdown  Layout = "markdown"
)

// The styles.
const (
	Classic      Style = "classic"
	Experimental Style = "experimental"
)

// A Config is one format configuration. Decoding an answer needs its Return and
// Tag, too.
type Config struct {
	// Return is the form of the calls.
	Return ReturnFormat
	// Tag says whether the calls are in a <TOOLCALL> section.
	Tag    bool
	Doc    DocFormat
	Layout Layout
	Style  Style
}

// Default is the configuration of ordinary prompt mode, upstream's
// DEFAULT_SYSTEM_PROMPT_FORMAT.
var Default = Config{Return: ReturnPython, Doc: DocJSON, Layout: Plaintext, Style: Classic}

const form = "ret_fmt=(python|json|verbose_xml|concise_xml)&tool_call_tag=(True|False)&func_doc_fmt=(python|xml|json)&prompt_fmt=(plaintext|markdown)&style=(classic|experimental)"

var configForm = pattern.Of(`^` + form + `\n?$`)

// ParseConfig reads a configuration such as
// ret_fmt=python&tool_call_tag=False&func_doc_fmt=json&prompt_fmt=plaintext&style=classic.
// It takes what upstream's parse_prompt_variation_params takes: all parts, in
// this order, and one newline at the end.
func ParseConfig(text string) (Config, error) {
	m := configForm().FindStringSubmatch(text)
	if m == nil {
		return Config{}, fmt.Errorf("prompt configuration %.200q: it must have the form %s", text, form)
	}
	return Config{ReturnFormat(m[1]), m[2] == "True", DocFormat(m[3]), Layout(m[4]), Style(m[5])}, nil
}

// String returns the configuration as ParseConfig reads it.
func (c Config) String() string {
	tag := "False"
	if c.Tag {
		tag = "True"
	}
	return "ret_fmt=" + string(c.Return) + "&tool_call_tag=" + tag + "&func_doc_fmt=" + string(c.Doc) +
		"&prompt_fmt=" + string(c.Layout) + "&style=" + string(c.Style)
}

// Configs returns the 26 configurations of the category format_sensitivity in
// upstream's order: every return format with and without a tag in every
// document format, then the default in another layout and in another style.
func Configs() []Config {
	var out []Config
	for _, ret := range []ReturnFormat{ReturnPython, ReturnJSON, ReturnVerboseXML, ReturnConciseXML} {
		for _, tag := range []bool{true, false} {
			for _, doc := range []DocFormat{DocPython, DocXML, DocJSON} {
				out = append(out, Config{ret, tag, doc, Plaintext, Classic})
			}
		}
	}
	markdown, experimental := Default, Default
	markdown.Layout, experimental.Style = Markdown, Experimental
	return append(out, markdown, experimental)
}

// ConfigOf returns the configuration in which a case is posed, like upstream's
// extract_prompt_format_from_id: the middle part of an id of
// format_sensitivity, or the default for other ids.
func ConfigOf(id string) (Config, error) {
	if !strings.Contains(id, ":") {
		return Default, nil
	}
	parts := strings.Split(id, ":")
	if len(parts) != 3 {
		return Config{}, fmt.Errorf("case id %.200q: it must have the form category_n:configuration:id", id)
	}
	return ParseConfig(parts[1])
}

// Category is the name of the category that poses cases of other categories
// in every configuration.
const Category = "format_sensitivity"

// A Listing names the cases of one category that are posed in every
// configuration.
type Listing struct {
	Category string
	IDs      []string
}

// ParseListing reads the file of the category format_sensitivity: an object of
// categories and their ids, in the order in which they are posed.
func ParseListing(data []byte) ([]Listing, error) {
	v, err := pyval.ParseJSON(string(data))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", Category, err)
	}
	file, ok := v.(*pyval.Dict)
	if !ok {
		return nil, fmt.Errorf("%s: must be an object, not %s", Category, pyval.TypeName(v))
	}
	var out []Listing
	for name, v := range file.All() {
		ids, err := listedIDs(v)
		if err != nil {
			return nil, fmt.Errorf("%s: %.80q: %w", Category, pyval.Text(name), err)
		}
		if len(ids) > 0 {
			out = append(out, Listing{pyval.Text(name), ids})
		}
	}
	return out, nil
}

func listedIDs(v pyval.Value) ([]string, error) {
	list, ok := v.(*pyval.List)
	if !ok {
		return nil, fmt.Errorf("must be a list of ids, not %s", pyval.TypeName(v))
	}
	ids := make([]string, len(list.Items))
	for i, item := range list.Items {
		id, ok := item.(pyval.Str)
		if !ok {
			return nil, fmt.Errorf("an id must be a text, not %s", pyval.TypeName(item))
		}
		ids[i] = string(id)
	}
	return ids, nil
}

// Variations returns the cases of the category format_sensitivity: each listed
// case in all configurations, in the order of the category's file, not of the
// listing. The function load returns the cases of a category. The documents
// have the hint of the case's own language already, and posing adds that of the
// category, so a function has two hints, as in upstream's load_dataset_entry.
func (w *Wording) Variations(listings []Listing, load func(category string) ([]*eval.Case, error)) ([]*eval.Case, error) {
	var out []*eval.Case
	configs := Configs()
	for _, l := range listings {
		cases, err := l.pick(load)
		if err != nil {
			return nil, err
		}
		for _, c := range cases {
			tools, err := w.Tools.HintedAll(c.Tools, c.Language)
			if err != nil {
				return nil, fmt.Errorf("case %.200q: %w", c.ID, err)
			}
			for _, config := range configs {
				v := *c
				v.ID = fmt.Sprintf("%s_%d:%s:%s", Category, len(out), config, c.ID)
				v.Category, v.Language, v.Tools = Category, eval.Python, tools
				out = append(out, &v)
			}
		}
	}
	return out, nil
}

// pick returns the listed cases in the file's order.
func (l *Listing) pick(load func(string) ([]*eval.Case, error)) ([]*eval.Case, error) {
	cases, err := load(l.Category)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", Category, err)
	}
	missing := make(map[string]bool, len(l.IDs))
	for _, id := range l.IDs {
		missing[id] = true
	}
	var out []*eval.Case
	for _, c := range cases {
		if missing[c.ID] {
			out = append(out, c)
			delete(missing, c.ID)
		}
	}
	for _, id := range l.IDs {
		if missing[id] {
			return nil, fmt.Errorf("%s lists case %.200q, which category %s does not have", Category, id, l.Category)
		}
	}
	return out, nil
}
