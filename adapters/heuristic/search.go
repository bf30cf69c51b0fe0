package heuristic

import (
	"strings"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/python/pycall"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// The tools of a web search.
const (
	searchTool = "search_engine_query"
	fetchTool  = "fetch_url_content"
)

// maxResult bounds what is read of a tool's result.
const maxResult = 256 << 10

// A search is a question with the tools to answer it from the web.
type search struct {
	find, fetch *tool
	mode        eval.Mode
	question    string
}

// searchWith is nil where the web cannot be searched.
func searchWith(tools []*tool, req *eval.Request) *search {
	s := search{mode: req.Mode, question: questionAsked(req.Messages)}
	for _, t := range tools {
		switch t.name {
		case searchTool:
			s.find = t
		case fetchTool:
			s.fetch = t
		}
	}
	if s.find == nil {
		return nil
	}
	return &s
}

// answer answers a question from the web as far as that goes without
// understanding: it searches for the question, reads the first page where no
// snippet shows, and answers with the part that has most of the question's
// words.
func (s *search) answer(messages []eval.Message) pyval.Value {
	result, found := lastResult(messages)
	if !found {
		return s.call(s.find, "keywords", s.question)
	}
	v, err := pycall.Literal(result)
	if err != nil {
		v, err = pyval.ParseJSON(result)
	}
	if err != nil {
		return eval.TextResult(unknown)
	}
	switch v := v.(type) {
	case *pyval.List:
		return s.fromResults(v)
	case *pyval.Dict:
		if content, ok := v.GetStr("content"); ok {
			return eval.TextResult(passage(pyval.Text(content), s.question))
		}
	}
	return eval.TextResult(unknown)
}

// unknown is the answer where nothing was found.
const unknown = "I do not know."

// fromResults answers with the first snippet, or fetches the first page.
func (s *search) fromResults(results *pyval.List) pyval.Value {
	if len(results.Items) == 0 {
		return eval.TextResult(unknown)
	}
	first, _ := results.Items[0].(*pyval.Dict)
	if first == nil {
		return eval.TextResult(unknown)
	}
	if snippet, ok := first.GetStr("body"); ok {
		return eval.TextResult(sentence(pyval.Text(snippet)))
	}
	address, ok := first.GetStr("href")
	if !ok || s.fetch == nil {
		return eval.TextResult(unknown)
	}
	return s.call(s.fetch, "url", pyval.Text(address), "mode", "truncate")
}

// call is a call of a tool with texts as arguments: names and values.
func (s *search) call(t *tool, texts ...string) pyval.Value {
	args := pyval.NewDict(len(texts) / 2)
	for i := 0; i+1 < len(texts); i += 2 {
		args.SetStr(texts[i], pyval.Str(texts[i+1]))
	}
	return write([]call{{tool: t, params: t.read(), args: args}}, python, s.mode)
}

// sentence makes a text one that is no call.
func sentence(text string) string { return "The web says: " + text }

// passage is the part of a page that has most of a question's words.
func passage(content, question string) string {
	const length = 40 // words
	asked := map[string]bool{}
	for word := range strings.FieldsSeq(strings.ToLower(question)) {
		if len(word) > 3 {
			asked[strings.Trim(word, "?.,!")] = true
		}
	}
	words := strings.Fields(content)
	best, at := -1, 0
	for i := 0; i < len(words); i += length / 2 {
		n := 0
		for _, word := range words[i:min(i+length, len(words))] {
			if asked[strings.Trim(strings.ToLower(word), "?.,!")] {
				n++
			}
		}
		if n > best {
			best, at = n, i
		}
	}
	return sentence(strings.Join(words[at:min(at+length, len(words))], " "))
}

// questionAsked is the last thing that a user asked, results left out.
func questionAsked(messages []eval.Message) string {
	for i := len(messages) - 1; i >= 0; i-- {
		if m := messages[i]; m.Role == "user" && !strings.HasPrefix(m.Content, resultMark) {
			return clip(m.Content, maxQuestion)
		}
	}
	return ""
}

// lastResult is the result of the last call, if the last message brings one.
func lastResult(messages []eval.Message) (string, bool) {
	if !answered(messages) {
		return "", false
	}
	last := messages[len(messages)-1]
	if last.Role == "tool" {
		return clip(last.Content, maxResult), true
	}
	v, err := pycall.Literal(clip(last.Content, maxResult))
	list, ok := v.(*pyval.List)
	if err != nil || !ok || len(list.Items) == 0 {
		return "", true
	}
	row, _ := list.Items[len(list.Items)-1].(*pyval.Dict)
	if row == nil {
		return "", true
	}
	content, _ := row.GetStr("content")
	text, _ := content.(pyval.Str)
	return string(text), true
}
