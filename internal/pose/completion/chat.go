package completion

import (
	"fmt"
	"strings"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/pattern"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/say"
)

// A Chat describes the functions to an API model as upstream's handler of the
// model does: in a system message of upstream's own text.
type Chat struct {
	family
	texts map[string]string
}

// A family describes the functions to a family of models.
type family struct {
	// name is the family's name, under which its texts are found.
	name string
	// needed are the names of its texts.
	needed []string
	// write adds the functions, as Python writes a list of them, to the
	// messages.
	write func(texts map[string]string, messages []eval.Message, functions string) []eval.Message
	// read returns what is kept of a text; nil keeps it as it is.
	read func(text string) pyval.Value
	// asText says that results are sent back as one message of the user.
	asText bool
}

var families = []family{
	{name: "dm-cito", needed: []string{"before", "after"}, write: aboveSystem, read: calledInTags, asText: true},
	{name: "nemotron", needed: []string{"before", "between"}, write: aroundQuestion},
}

// ChatNames returns the families that NewChat knows.
func ChatNames() (names []string) {
	for _, c := range families {
		names = append(names, c.name)
	}
	return names
}

// CheckChat returns an error if there is no family of that name. The name "" is
// valid and means none.
func CheckChat(name string) error {
	if name == "" {
		return nil
	}
	_, err := familyOf(name)
	return err
}

func familyOf(name string) (family, error) {
	for _, c := range families {
		if c.name == name {
			return c, nil
		}
	}
	return family{}, fmt.Errorf("unknown form %.100q%s; the forms are %s", name, say.Propose(say.Nearest(name, ChatNames())), strings.Join(ChatNames(), ", "))
}

// NewChat makes the Chat of a family from the texts that were derived from
// upstream's sources.
func NewChat(name string, texts Texts) (*Chat, error) {
	c, err := familyOf(name)
	if err != nil {
		return nil, err
	}
	for _, key := range c.needed {
		if texts[name][key] == "" {
			return nil, fmt.Errorf("upstream's text %s.%s is missing: `bfcl fetch v4` derives it from the pinned archive; with `functions_as: \"\"` in models.yaml the request has the ordinary form", name, key)
		}
	}
	return &Chat{c, texts[name]}, nil
}

// Messages returns a conversation that describes the functions: as documents,
// or as sent, which holds them as a suite's owner wrote them, if that is not
// nil.
func (c *Chat) Messages(messages []eval.Message, tools, sent []*pyval.Dict) []eval.Message {
	if sent != nil {
		tools = sent
	}
	return c.write(c.texts, messages, pyval.Repr(dicts(tools)))
}

// Kept returns what is recorded of an answer.
func (c *Chat) Kept(answer pyval.Value) pyval.Value {
	text, ok := answer.(pyval.Str)
	if !ok || c.read == nil {
		return answer
	}
	return c.read(string(text))
}

// AsText reports whether results are sent back as a message of the user, and
// functions that come later are described in one.
func (c *Chat) AsText() bool { return c.asText }

// aboveSystem adds a system message with the functions. The text of an existing
// one follows after an empty line.
func aboveSystem(texts map[string]string, messages []eval.Message, functions string) []eval.Message {
	system := texts["before"] + functions + texts["after"]
	if len(messages) > 0 && messages[0].Role == "system" {
		system += "\n\n" + messages[0].Content
		messages = messages[1:]
	}
	return append([]eval.Message{{Role: "system", Content: system}}, messages...)
}

// aroundQuestion moves the first question into a system message with the
// functions. System messages become the user's, and consecutive messages of the
// user become one.
func aroundQuestion(texts map[string]string, messages []eval.Message, functions string) []eval.Message {
	var list []eval.Message
	for _, m := range messages {
		if m.Role == "system" {
			m.Role = "user"
		}
		if n := len(list); n > 0 && m.Role == "user" && list[n-1].Role == "user" {
			list[n-1].Content += "\n\n" + m.Content
			continue
		}
		list = append(list, m)
	}
	question := ""
	for i, m := range list {
		if m.Role == "user" {
			question = m.Content
			list = append(list[:i:i], list[i+1:]...)
			break
		}
	}
	system := eval.Message{Role: "system", Content: texts["before"] + functions + texts["between"] + question}
	return append([]eval.Message{system}, list...)
}

var tagged = pattern.Of(`(?s)<tool_calls>\n(.*?)\n</tool_calls>`)

// calledInTags returns the value of the JSON between the tags, or of the whole
// text; the text itself if it is not JSON.
func calledInTags(text string) pyval.Value {
	if m := tagged().FindStringSubmatch(text); m != nil {
		text = pyval.Strip(m[1])
	}
	v, err := pyval.ParseJSON(text)
	if err != nil {
		return pyval.Str(text)
	}
	return v
}
