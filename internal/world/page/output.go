package page

import (
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// hardSpace stands for a non-breaking space until the text is whole, so that
// it is not taken for white space.
const hardSpace = "&nbsp_place_holder;"

// An output gathers what is written, with the breaks and quote marks that are
// due before it.
type output struct {
	out  []byte
	last string // the last piece

	quiet    int
	fresh    bool // nothing is due before the next piece
	space    bool // a space is due
	due      int  // line breaks
	soft     string
	quotes   int
	inLists  int
	pre      bool
	startPre bool

	// of an open abbr element
	collecting bool
	short      string
	long       *string
}

func (o *output) emit(s string) {
	if len(o.out)+len(s) > maxOut {
		return
	}
	o.out = append(o.out, s...)
	o.last = s
}

func (o *output) atLine() bool { return len(o.out) > 0 && o.out[len(o.out)-1] == '\n' }

// paragraph makes an empty line due.
func (o *output) paragraph() { o.due = 2 }

// breakLine makes a new line due.
func (o *output) breakLine() {
	if o.due == 0 {
		o.due = 1
	}
}

// softBreak makes a new line due that Markdown shows as one.
func (o *output) softBreak() {
	o.breakLine()
	o.soft = "  "
}

// write writes marks.
func (o *output) write(s string) { o.put(s, false, false) }

// unwrite takes back the last piece written, if it is the one given.
func (o *output) unwrite(s string) bool {
	if o.last != s {
		return false
	}
	o.out = o.out[:len(o.out)-len(s)]
	o.last = ""
	return true
}

// put writes text or marks: html2text's o. force writes even an empty text.
func (o *output) put(s string, text, force bool) {
	if o.collecting {
		const most = 200
		o.short = (o.short + s)[:min(len(o.short)+len(s), most)]
	}
	if o.quiet != 0 {
		return
	}
	if text && !o.pre {
		s = collapse(s)
		if strings.HasPrefix(s, " ") {
			o.space = true
			s = s[1:]
		}
	}
	if s == "" && !force {
		return
	}
	if o.startPre && !strings.HasPrefix(s, "\n") && !strings.HasPrefix(s, "\r\n") {
		s = "\n" + s
	}
	quote := o.margin(force && strings.HasPrefix(s, ">"))
	if o.pre {
		if strings.Count(s, "\n")*len(quote) > maxOut {
			return // emit would drop all of it
		}
		s = strings.ReplaceAll(s, "\n", "\n"+quote)
	}
	if o.startPre {
		o.startPre = false
		if o.inLists > 0 {
			s = strings.TrimLeft(s, "\n")
		}
	}
	o.flushDue(quote)
	o.emit(s)
}

// margin is what a line begins with: quote marks, and in code an indent.
func (o *output) margin(marks bool) string {
	quote := strings.Repeat(">", min(max(o.quotes, 0), maxMargin))
	if !marks && o.quotes != 0 {
		quote += " "
	}
	if o.pre {
		if o.inLists == 0 {
			quote += "    "
		}
		quote += strings.Repeat("    ", min(o.inLists, maxMargin))
	}
	return quote
}

// Deeply nested pages would grow without bound: maxMargin bounds the levels
// that are shown before each line, maxOut the whole text.
const (
	maxMargin = 40
	maxOut    = 32 << 20
)

// flushDue writes the breaks or the space that are due.
func (o *output) flushDue(quote string) {
	if o.fresh {
		o.space, o.due, o.fresh = false, 0, false
	}
	if o.due > 0 {
		o.emit(strings.Repeat(o.soft+"\n"+quote, o.due))
		o.space, o.soft = false, ""
	}
	if o.space {
		if !o.atLine() {
			o.emit(" ")
		}
		o.space = false
	}
	o.due = 0
}

// finish ends the text: the breaks due are dropped, and a line break is added.
func (m *markdown) finish() {
	m.collecting = false
	if m.quiet != 0 {
		return
	}
	m.emit("\n")
	for _, a := range m.glossary {
		m.emit("  *[" + a.short + "]: " + a.long + "\n")
	}
}

// collapse is Python's re.sub(r"\s+", " ", s).
func collapse(s string) string {
	var b strings.Builder
	b.Grow(len(s))
	blank := false
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		if pyval.IsSpace(r) {
			if !blank {
				b.WriteByte(' ')
			}
			blank = true
		} else {
			blank = false
			b.WriteString(s[i : i+size])
		}
		i += size
	}
	return b.String()
}

// joining matches text that would stick to a mark of emphasis before it.
var joining = regexp.MustCompile(`^[^\]\[(){}\s.!?]`)

func (m *markdown) data(s string) { m.say(s, false) }

// say writes a piece of text: html2text's handle_data.
func (m *markdown) say(s string, character bool) {
	if s == "" {
		return
	}
	if m.stressed {
		s = pyval.Strip(s)
		m.stressed, m.relaxed = false, true
	} else if m.relaxed {
		if joins(s) && level(m.tag) == 0 && m.tag != "a" && m.tag != "code" && m.tag != "pre" {
			s = " " + s
		}
		m.relaxed = false
	}
	if m.pending != nil {
		if *m.pending == s && absolute.MatchString(s) {
			m.write("<" + s + ">")
			m.empty = false
			return
		}
		m.openLink()
	}
	if !m.code && !m.pre && !character {
		s = escapeLine(s)
	}
	m.said = s
	m.put(s, true, false)
}

// absolute matches addresses that Markdown links by themselves.
var absolute = regexp.MustCompile(`^[a-zA-Z+]+://`)

func joins(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return !pyval.IsSpace(r) && joining.MatchString(s)
}

func (m *markdown) reference(name string) {
	if number, ok := strings.CutPrefix(name, "#"); ok {
		n := codePoint(number)
		if plain, ok := plainNumbers[n]; ok {
			m.say(plain, true)
			return
		}
		m.say(character(n), true)
		return
	}
	if plain, ok := plainNames[name]; ok {
		m.say(plain, true)
		return
	}
	text, ok := named(name)
	if !ok {
		text = "&" + name + ";"
	}
	m.say(text, true)
}

// plainNames are the characters that html2text writes in ASCII: its UNIFIABLE.
var plainNames = unifiable()

func unifiable() map[string]string {
	names := map[string]string{
		"rsquo": "'", "lsquo": "'", "rdquo": `"`, "ldquo": `"`, "copy": "(C)", "mdash": "--", "nbsp": hardSpace,
		"rarr": "->", "larr": "<-", "middot": "*", "ndash": "-", "oelig": "oe", "aelig": "ae", "lrm": "", "rlm": "",
	}
	for vowel, accents := range map[string]string{
		"a": "grave acute circ tilde uml ring", "e": "grave acute circ uml", "i": "grave acute circ uml",
		"o": "grave acute circ tilde uml", "u": "grave acute circ uml",
	} {
		for accent := range strings.FieldsSeq(accents) {
			names[vowel+accent] = vowel
		}
	}
	return names
}

// plainNumbers are the same by number, except the non-breaking space.
var plainNumbers = func() map[int64]string {
	numbers := map[int64]string{}
	for name, plain := range plainNames {
		if text, ok := named(name); ok && name != "nbsp" {
			r, _ := utf8.DecodeRuneInString(text)
			numbers[int64(r)] = plain
		}
	}
	return numbers
}()
