package heuristic

import (
	"math"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

var stopWords = set(`a an the this that it its they i me my we our you your he she is are was were be been do does did have has can could
	will would should may not no and or but if then of in on at to for from by with about into what which who when where how much many any
	all each please tell show give find get know let need want use using given specified value parameter optional default string number
	integer float boolean list array`)

// words splits a text into words of letters and digits; a name in camelCase has
// several. Han is written without blanks, so each of its characters is a word.
// There is no regular expression because all documents are split at every step
// of a conversation: one took half the time of a run.
func words(text string) (out []string) {
	for text != "" {
		r, size := utf8.DecodeRuneInString(text)
		n := 0
		switch {
		case unicode.Is(unicode.Han, r):
			n = size
		case isSmall(r):
			n = run(text, isSmall)
		case unicode.IsUpper(r):
			if small := run(text[size:], isSmall); small > 0 {
				n = size + small
			} else {
				n = run(text, unicode.IsUpper)
			}
		case unicode.IsNumber(r):
			n = run(text, unicode.IsNumber)
		}
		if n > 0 {
			out = append(out, text[:n])
		}
		text = text[max(n, size):]
	}
	return out
}

// isSmall reports whether a character is a lower-case letter, or a mark on one.
func isSmall(r rune) bool { return unicode.IsLower(r) || unicode.IsMark(r) }

// run returns the length of the longest prefix of a text for whose characters
// alike is true.
func run(text string, alike func(rune) bool) int {
	if n := strings.IndexFunc(text, func(r rune) bool { return !alike(r) }); n >= 0 {
		return n
	}
	return len(text)
}

// endings are removed from words: the first one that leaves three letters.
var endings = []string{"ations", "ation", "ating", "ings", "ing", "ers", "ies", "ed", "es", "er", "or", "ly", "s", "e", "y"}

// stem returns a word in lower case without its ending. It only has to match
// the words of questions with those of documents.
func stem(word string) string {
	w := strings.ToLower(word)
	for _, end := range endings {
		if len(w)-len(end) >= 3 && strings.HasSuffix(w, end) {
			return strings.TrimSuffix(w, end)
		}
	}
	return w
}

func set(words string) map[string]bool {
	out := map[string]bool{}
	for _, w := range strings.Fields(words) {
		out[stem(w)] = true
	}
	return out
}

// stems returns the stems of a text's words in order, without stop words.
func stems(text string) (out []string) {
	for _, w := range words(clip(text, maxDoc)) {
		if s := stem(w); !stopWords[s] {
			out = append(out, s)
		}
	}
	return out
}

// A tool is what a function document says.
type tool struct {
	doc     *pyval.Dict
	name    string
	schema  *pyval.Dict
	weights map[string]float64 // by the document's stems; nil until they are weighed
	order   []string           // the stems as they were found
}

// weighed fills in the weights once: most steps of a conversation need none.
func (t *tool) weighed() {
	if t.weights != nil {
		return
	}
	t.weights = map[string]float64{}
	t.weigh(t.name, 3)
	t.weigh(textField(t.doc, "description"), 1.5)
	for key, v := range t.schema.Child("properties").All() {
		t.weigh(pyval.Text(key), 1)
		param, _ := v.(*pyval.Dict)
		t.weigh(textField(param, "description"), 0.5)
	}
}

func (t *tool) weigh(text string, weight float64) {
	for _, s := range stems(text) {
		if t.weights[s] == 0 {
			t.order = append(t.order, s)
		}
		t.weights[s] = max(weight, t.weights[s])
	}
}

// enough is the least evidence for which a function is called.
const enough = 0.75

// pick returns the tool whose document shares most words with a text, nil if
// none shares enough. Words that few documents have count more.
func pick(text string, tools []*tool) *tool {
	asked := map[string]bool{}
	for _, s := range stems(text) {
		asked[s] = true
	}
	having := map[string]int{}
	for _, t := range tools {
		t.weighed()
		for _, s := range t.order {
			having[s]++
		}
	}
	var best *tool
	top := 0.0
	for _, t := range tools {
		var total, shared, score float64
		for _, s := range t.order {
			total += t.weights[s]
			if asked[s] {
				shared += t.weights[s]
				score += t.weights[s] * (0.3 + math.Log(float64(len(tools)+1)/float64(having[s])))
			}
		}
		score /= math.Sqrt(total + 20)
		if shared/math.Sqrt(total+4) >= enough && score > top {
			best, top = t, score
		}
	}
	return best
}

// sourceTypes are type names that only the documents of one language use;
// String is in those of both.
var sourceTypes = map[string]eval.Language{
	"HashMap": eval.Java, "ArrayList": eval.Java, "Array": eval.Java, "long": eval.Java, "double": eval.Java, "char": eval.Java,
	"Boolean": eval.JavaScript, "Bigint": eval.JavaScript,
}

// languageOf infers the language from how the documents write types.
func languageOf(tools []*tool) eval.Language {
	language := eval.Python
	for _, t := range tools {
		for _, v := range t.schema.Child("properties").All() {
			param, _ := v.(*pyval.Dict)
			typ := textField(param, "type")
			if l, ok := sourceTypes[typ]; ok {
				return l
			}
			if typ == "String" {
				language = eval.JavaScript
			}
		}
	}
	if first, _ := utf8.DecodeRuneInString(tools[0].name); language != eval.Python && unicode.IsUpper(first) {
		return eval.Java // Java's class names begin with a capital letter
	}
	return language
}

func textField(d *pyval.Dict, key string) string {
	text, _ := d.Text(key)
	return text
}
