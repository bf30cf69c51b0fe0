package heuristic

import (
	"regexp"
	"strings"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// The tools of memories: what adds to one, and what looks something up in it.
const (
	addTool      = "archival_memory_add"
	appendTool   = "memory_append"
	keysTool     = "archival_memory_key_search"
	valueTool    = "archival_memory_retrieve"
	retrieveTool = "memory_retrieve"
)

// Bounds on what is kept of what a user says.
const (
	maxNote     = 600
	maxKeyWords = 6
)

// A notebook is a memory with what a user said last.
type notebook struct {
	tools map[string]*tool
	mode  eval.Mode
	said  string
}

// notebookWith is nil where there is no memory.
func notebookWith(tools []*tool, req *eval.Request) *notebook {
	n := &notebook{tools: map[string]*tool{}, mode: req.Mode}
	for _, t := range tools {
		n.tools[t.name] = t
	}
	if n.tools[addTool] == nil && n.tools[appendTool] == nil {
		return nil
	}
	n.said = questionAsked(req.Messages)
	return n
}

func isResult(m eval.Message) bool {
	return m.Role == "tool" || m.Role == "user" && strings.HasPrefix(m.Content, resultMark)
}

// answer writes down what it is told, and looks up what it is asked in one
// sentence. It understands neither.
func (n *notebook) answer(messages []eval.Message) pyval.Value {
	asked := strings.HasSuffix(strings.TrimSpace(n.said), "?") && len(n.said) < maxNote/2
	results := n.results(messages)
	switch {
	case !asked && len(results) > 0:
		return eval.TextResult(finished)
	case !asked:
		return n.note()
	case len(results) == 0:
		return n.lookUp()
	}
	if key, ok := bestKey(results[len(results)-1]); ok && len(results) == 1 {
		return n.call(valueTool, "key", key)
	}
	return eval.TextResult("I remember this: " + sentenceOf(results[len(results)-1], n.said))
}

func (n *notebook) note() pyval.Value {
	text := clip(n.said, maxNote)
	switch {
	case n.tools[appendTool] != nil:
		return n.call(appendTool, "text", text+"\n")
	case n.tools[keysTool] != nil:
		return n.call(addTool, "key", keyFor(n.said), "value", text)
	}
	return n.call(addTool, "text", text)
}

func (n *notebook) lookUp() pyval.Value {
	switch {
	case n.tools[retrieveTool] != nil:
		return n.call(retrieveTool)
	case n.tools[keysTool] != nil:
		return n.call(keysTool, "query", strings.ReplaceAll(keyFor(n.said), "_", " "))
	case n.tools[valueTool] != nil:
		return n.call(valueTool, "query", n.said)
	}
	return eval.TextResult(refusal)
}

// call is a call with texts as arguments: names and values.
func (n *notebook) call(name string, texts ...string) pyval.Value {
	args := pyval.NewDict(len(texts) / 2)
	for i := 0; i+1 < len(texts); i += 2 {
		args.SetStr(texts[i], pyval.Str(texts[i+1]))
	}
	t := n.tools[name]
	return write([]call{{tool: t, params: t.read(), args: args}}, python, n.mode)
}

// results are those of the calls since the user said something.
func (n *notebook) results(messages []eval.Message) []string {
	var out []string
	for i, m := range messages {
		switch {
		case isResult(m):
			result, _ := lastResult(messages[:i+1])
			out = append(out, result)
		case m.Role == "user":
			out = nil
		}
	}
	return out
}

var letters = regexp.MustCompile(`[a-z]+`)

// keyFor is a key of a text's longest words, in the text's order.
func keyFor(text string) string {
	words := letters.FindAllString(strings.ToLower(text), -1)
	least := 12
	for ; least > 4; least-- {
		if countLong(words, least) >= maxKeyWords {
			break
		}
	}
	var kept []string
	for _, word := range words {
		if len(word) >= least && len(kept) < maxKeyWords {
			kept = append(kept, word)
		}
	}
	if len(kept) == 0 {
		return "note"
	}
	return strings.Join(kept, "_")
}

func countLong(words []string, least int) (n int) {
	for _, word := range words {
		if len(word) >= least {
			n++
		}
	}
	return n
}

// bestKey is the first of a key search's hits.
func bestKey(result string) (string, bool) {
	v, err := pyval.ParseJSON(result)
	d, ok := v.(*pyval.Dict)
	if err != nil || !ok {
		return "", false
	}
	ranked, _ := d.GetStr("ranked_results")
	hits, _ := ranked.(*pyval.List)
	if hits == nil || len(hits.Items) == 0 {
		return "", false
	}
	pair, _ := hits.Items[0].(*pyval.List)
	if pair == nil || len(pair.Items) != 2 {
		return "", false
	}
	return pyval.Text(pair.Items[1]), true
}

// sentenceOf is the sentence that has most of a question's words.
func sentenceOf(text, question string) string {
	asked := map[string]bool{}
	for _, word := range letters.FindAllString(strings.ToLower(question), -1) {
		asked[word] = len(word) > 3
	}
	best, most := "", -1
	for _, sentence := range strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(".!?\n", r) }) {
		n := 0
		for _, word := range letters.FindAllString(strings.ToLower(sentence), -1) {
			if asked[word] {
				n++
			}
		}
		if n > most {
			best, most = sentence, n
		}
	}
	return strings.TrimSpace(best)
}
