// Package eval defines the elements of a run: Case, Request, Response, Verdict,
// Category and Adapter. Package engine connects them.
package eval

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// A Message is one message of a conversation.
type Message struct {
	// Role is "system", "user", "assistant" or "tool".
	Role string
	// Content is the message's text.
	Content string
	// Calls are the calls of an assistant's message.
	Calls []ToolCall
	// CallID and Name are, in a tool's message, the id of the call that it is
	// the result of and that call's function.
	CallID, Name string
	// Raw is an assistant's message as the provider wants it back, with
	// reasoning, signatures and whatever else came with it. Only the adapter
	// that made it understands it; nil if the message is only role, text and
	// calls.
	Raw pyval.Value
}

// A Case is one question of a category with everything needed to pose it and to
// judge its answer. Cases are read-only once loaded.
type Case struct {
	// ID is unique in the dataset, such as "simple_python_3".
	ID string
	// Category is the name of the case's category.
	Category string
	// Rule and Language are the category's; the Rule of a varied case is that
	// of the case it varies.
	Rule     Rule
	Language Language
	// Turns are the questions; single-turn cases have one. A turn of a
	// multi-turn case may be empty: it adds functions that were HeldOut.
	Turns [][]Message
	// Tools are the function documents in the file's order, with keys in the
	// file's order: both affect the prompt.
	Tools []*pyval.Dict
	// Answer is the possible answer: for single-turn categories a list of
	// {function: {parameter: [accepted values]}}. Nil if the category has none.
	Answer *pyval.List
	// Expected says by a suite's own matchers which calls are right; nil if the
	// rule compares with Answer, which otherwise is only an example.
	Expected Expectation
	// Sent are the Tools as the suite's owner wrote them, in the same order, if
	// models see them that way; nil if the documents are turned into schemas.
	Sent []*pyval.Dict
	// Scene has the APIs and states that a multi-turn case is played on; nil for
	// others.
	Scene *Scene
	// Needs are the ids, in order, of the earlier conversations whose memory
	// the case begins with; empty for most cases.
	Needs []string
	// Entry is the line of the dataset's file.
	Entry *pyval.Dict
	// File and Line say where the case is defined, for messages.
	File string
	Line int
}

// A Scene holds the APIs and states that a multi-turn case is played on.
type Scene struct {
	// Classes are the simulated APIs in the case's order.
	Classes []string
	// Config is each class's scenario, as in the file; may be nil.
	Config *pyval.Dict
	// HeldOut are the function documents that only a later turn adds, by the
	// turn's index. They are not in Case.Tools.
	HeldOut map[int][]*pyval.Dict
	// Scenario is the memory's scenario, which the prompt describes; "" if no
	// class is a memory.
	Scenario string
	// Long is the data that the answers of simulated APIs are padded with; nil
	// if they are not.
	Long *LongContext
	// Script has the results of the calls if they come from the suite and no
	// API is simulated; otherwise nil.
	Script Script
}

// An Expectation judges the calls of a case by a suite's own matchers. It is
// safe for concurrent use.
type Expectation interface {
	// Judge says whether decoded calls, or the failure to decode any, are
	// right; for a conversation it is given the recorded result.
	Judge(c *Case, decoded pyval.Value, decodeErr error, s Settings) Verdict
	// String returns the expectation for people.
	String() string
}

// A Script answers calls in a conversation. It is safe for concurrent use and
// has no state: the same calls give the same results.
type Script interface {
	// Execute reads the calls of one answer and returns their results. The error
	// says that no calls could be read or, if it is an InfraError, that their
	// results are not known.
	Execute(c *Case, step pyval.Value, s Settings) (calls, results []string, err error)
}

// AllTools returns the function documents, with those that only a later turn
// adds.
func (c *Case) AllTools() []*pyval.Dict {
	out := slices.Clone(c.Tools)
	if c.Scene != nil {
		for _, turn := range slices.Sorted(maps.Keys(c.Scene.HeldOut)) {
			out = append(out, c.Scene.HeldOut[turn]...)
		}
	}
	return out
}

// Question returns the text of the last user message of the first turn.
func (c *Case) Question() string {
	if len(c.Turns) == 0 {
		return ""
	}
	for i := len(c.Turns[0]) - 1; i >= 0; i-- {
		if m := c.Turns[0][i]; m.Role == "user" {
			return m.Content
		}
	}
	return ""
}

// ToolNames returns the names of the case's functions, in order.
func (c *Case) ToolNames() []string {
	names := make([]string, len(c.Tools))
	for i, tool := range c.Tools {
		if name, ok := tool.GetStr("name"); ok {
			names[i] = pyval.Text(name)
		}
	}
	return names
}

// Tool returns the document of a function; nil if the case has none of that name.
func (c *Case) Tool(name string) *pyval.Dict {
	if at := slices.Index(c.ToolNames(), name); at >= 0 {
		return c.Tools[at]
	}
	return nil
}

// Tags returns the words by which a suite of the user's own sorts its cases;
// nil for most.
func (c *Case) Tags() []string {
	var out []string
	for _, item := range c.Entry.List("tags") {
		if tag, ok := item.(pyval.Str); ok {
			out = append(out, pyval.Text(tag))
		}
	}
	return out
}

// A Mode is how calls travel: in the provider's tool-call fields or as text.
type Mode string

const (
	// FC is function-calling mode: tools and calls are in their own fields.
	FC Mode = "fc"
	// Prompt is prompt mode: tools are in the system prompt, calls in the text.
	Prompt Mode = "prompt"
)

// ParseMode reads "fc" or "prompt"; "" stays "", which means the model's own.
func ParseMode(s string) (Mode, error) {
	switch m := Mode(strings.ToLower(s)); m {
	case "", FC, Prompt:
		return m, nil
	}
	return "", fmt.Errorf("unknown mode %q: use fc or prompt", s)
}

// Settings are the properties of a model that decoding and judging need.
type Settings struct {
	// Mode is FC or Prompt.
	Mode Mode
	// UnderscoreToDot reports whether the model saw "." in function names as
	// "_" (providers refuse dots), so that names are compared that way. It is
	// upstream's model setting underscore_to_dot.
	UnderscoreToDot bool
	// Dialect is how the model writes calls, by its name in package dialect; ""
	// for plain tool calls or text, depending on Mode.
	Dialect string
	// Executor carries out calls for the categories that need it; may be nil.
	Executor Executor
}

// SettingsFor returns the settings of a model of which only the mode is known:
// dots become underscores only in function-calling mode.
func SettingsFor(mode Mode) Settings {
	return Settings{Mode: mode, UnderscoreToDot: mode == FC}
}
