package heuristic

import (
	"strings"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/pattern"
	"github.com/gobfcl/bfcl/internal/pose/prompt"
	"github.com/gobfcl/bfcl/internal/python/pycall"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/read/decode"
)

// The tools of a web search and of memories.
const (
	searchTool   = "search_engine_query"
	fetchTool    = "fetch_url_content"
	addTool      = "archival_memory_add"
	appendTool   = "memory_append"
	keysTool     = "archival_memory_key_search"
	valueTool    = "archival_memory_retrieve"
	retrieveTool = "memory_retrieve"
)

// unknown is the answer if nothing was found.
const unknown = "I do not know."

// An agent looks things up without understanding them.
type agent struct {
	tools    map[string]bool
	mode     eval.Mode
	question string
}

// agentWith returns an agent with the given tools, nil if there is nothing to
// look things up in.
func agentWith(tools []*tool, mode eval.Mode, question string) *agent {
	a := &agent{map[string]bool{}, mode, question}
	for _, t := range tools {
		a.tools[t.name] = true
	}
	if a.tools[searchTool] || a.tools[addTool] || a.tools[appendTool] {
		return a
	}
	return nil
}

// answer returns the next call, or what was found.
func (a *agent) answer(results []string) pyval.Value {
	const longest = 300 // of a question: a longer text is something to remember
	switch {
	case a.tools[searchTool]:
		return a.search(results)
	case strings.HasSuffix(strings.TrimSpace(a.question), "?") && len(a.question) < longest:
		return a.recall(results)
	case len(results) > 0:
		return eval.TextResult(finished)
	}
	return a.note()
}

// search looks the question up, reads the first page if no snippet shows, and
// answers with the passage that has most of the question's words.
func (a *agent) search(results []string) pyval.Value {
	if len(results) == 0 {
		return a.call(searchTool, "keywords", a.question)
	}
	v, err := pycall.Literal(results[len(results)-1])
	if err != nil {
		v, _ = pyval.ParseJSON(results[len(results)-1])
	}
	page, _ := v.(*pyval.Dict)
	if hits, ok := v.(*pyval.List); ok && len(hits.Items) > 0 {
		page, _ = hits.Items[0].(*pyval.Dict)
	}
	for _, key := range []string{"body", "content"} {
		if text := textField(page, key); text != "" {
			return eval.TextResult("The web says: " + passage(text, a.question))
		}
	}
	if address := textField(page, "href"); address != "" && a.tools[fetchTool] {
		return a.call(fetchTool, "url", address, "mode", "truncate")
	}
	return eval.TextResult(unknown)
}

// note stores what the user said in memory.
func (a *agent) note() pyval.Value {
	const longest = 600
	told := clip(a.question, longest)
	switch {
	case a.tools[appendTool]:
		return a.call(appendTool, "text", told+"\n")
	case a.tools[keysTool]:
		return a.call(addTool, "key", keyOf(a.question), "value", told)
	}
	return a.call(addTool, "text", told)
}

// recall looks the question up in memory, and answers with the passage that
// fits best.
func (a *agent) recall(results []string) pyval.Value {
	switch {
	case len(results) > 0:
	case a.tools[retrieveTool]:
		return a.call(retrieveTool)
	case a.tools[keysTool]:
		return a.call(keysTool, "query", strings.ReplaceAll(keyOf(a.question), "_", " "))
	default:
		return a.call(valueTool, "query", a.question)
	}
	last := results[len(results)-1]
	if key := bestKey(last); key != "" && len(results) == 1 {
		return a.call(valueTool, "key", key)
	}
	return eval.TextResult("I remember this: " + passage(last, a.question))
}

// call returns a call with text arguments: texts are their names and values in
// turn.
func (a *agent) call(name string, texts ...string) pyval.Value {
	args := &pyval.Dict{}
	for i := 0; i+1 < len(texts); i += 2 {
		args.SetStr(texts[i], pyval.Str(texts[i+1]))
	}
	return decode.Calls([]decode.Call{{Name: name, Args: args}}, eval.Python, a.mode, prompt.Default)
}

var letters = pattern.Of(`[a-z]+`)

// keyOf returns a key made from a text's first long words.
func keyOf(text string) string {
	const longWord, most = 5, 6
	var kept []string
	for _, word := range letters().FindAllString(strings.ToLower(text), -1) {
		if len(word) >= longWord && len(kept) < most {
			kept = append(kept, word)
		}
	}
	if len(kept) == 0 {
		return "note"
	}
	return strings.Join(kept, "_")
}

// bestKey returns the first hit of a key search, "" for any other result.
func bestKey(result string) string {
	v, _ := pyval.ParseJSON(result)
	d, ok := v.(*pyval.Dict)
	if !ok {
		return ""
	}
	hits := listField(d, "ranked_results")
	if len(hits) == 0 {
		return ""
	}
	pair, _ := hits[0].(*pyval.List)
	if pair == nil || len(pair.Items) != 2 {
		return ""
	}
	return pyval.Text(pair.Items[1])
}

// passage returns the part of a text, a few sentences long, that has most of a
// question's words.
func passage(text, question string) string {
	const length = 40 // words
	asked := map[string]bool{}
	for _, s := range stems(question) {
		asked[s] = true
	}
	words := strings.Fields(text)
	best, at := -1, 0
	for i := 0; i < len(words); i += length / 2 {
		n := 0
		for _, s := range stems(strings.Join(words[i:min(i+length, len(words))], " ")) {
			if asked[s] {
				n++
			}
		}
		if n > best {
			best, at = n, i
		}
	}
	return strings.Join(words[at:min(at+length, len(words))], " ")
}
