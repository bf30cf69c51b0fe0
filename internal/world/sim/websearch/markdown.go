package websearch

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// Markdown returns an HTML page as Markdown: headings, paragraphs, lists,
// quotes, links, images, tables, emphasis and code.
func Markdown(src string) string {
	m := &markdown{opened: map[string]int{}}
	parse(src, m)
	m.closeLink()
	return m.out.String()
}

// mostDepth bounds the indents and the quotes that are shown, so that a page
// which nests them does not grow.
const mostDepth = len(quotes) / 2

const quotes = "> > > > > > "

// A markdown writes Markdown as the events come.
type markdown struct {
	out    strings.Builder
	marks  []byte         // opening marks that are due before the next text
	opened map[string]int // marks under way
	lines  int            // line ends due before the next text
	space  bool           // whether a space is due before it
	hidden int            // elements under way whose text is not shown
	pre    int            // elements under way whose text is kept as it is
	cells  int            // table cells under way, in which nothing breaks lines
	quotes int
	led    int   // how many bytes of quotes begin the line
	lists  []int // the next number of each list under way; 0 for marks
	rows   []row // of the tables under way
	linked bool  // whether a link is under way
	href   string
}

// A row is how far a table has come.
type row struct{ rows, cells int }

var (
	hiding  = map[string]bool{"script": true, "style": true, "title": true}
	marking = map[string]string{"b": "**", "strong": "**", "i": "*", "em": "*", "code": "`", "kbd": "`", "s": "~~", "del": "~~", "q": `"`}
	blocks  = map[string]bool{
		"address": true, "article": true, "aside": true, "blockquote": true, "br": true, "caption": true, "dd": true, "details": true, "div": true,
		"dl": true, "dt": true, "fieldset": true, "figcaption": true, "figure": true, "footer": true, "form": true, "header": true, "hr": true,
		"li": true, "main": true, "menu": true, "nav": true, "ol": true, "p": true, "pre": true, "section": true, "summary": true, "table": true,
		"td": true, "th": true, "tr": true, "ul": true,
	}
)

func (m *markdown) data(s string) {
	switch {
	case m.hidden > 0:
	case m.pre > 0:
		first := true
		for line := range strings.SplitSeq(s, "\n") {
			if !first {
				m.flush()
				m.lines = 1
			}
			if first = false; line != "" {
				m.write(line)
			}
		}
	default:
		first, _ := utf8.DecodeRuneInString(s)
		last, _ := utf8.DecodeLastRuneInString(s)
		m.space = m.space || pyval.IsSpace(first)
		for i, word := range strings.FieldsFunc(s, pyval.IsSpace) {
			m.space = m.space || i > 0
			m.write(word)
		}
		m.space = m.space || pyval.IsSpace(last)
	}
}

// write writes a piece of a line after what is due before it.
func (m *markdown) write(s string) {
	m.flush()
	if m.space {
		m.out.WriteByte(' ')
		m.space = false
	}
	m.out.Write(m.marks)
	m.marks = m.marks[:0]
	m.out.WriteString(s)
}

// flush writes the line ends that are due, and what begins the next line.
func (m *markdown) flush() {
	if m.lines == 0 && m.out.Len() > 0 {
		return
	}
	m.space = false
	lead := quotes[:2*min(m.quotes, mostDepth)]
	if m.out.Len() == 0 {
		m.lines = 0
		m.out.WriteString(lead)
	}
	for ; m.lines > 1; m.lines-- { // a quote begins and ends at its text
		m.out.WriteString("\n" + lead[:min(len(lead), m.led)])
	}
	if m.lines == 1 {
		m.out.WriteString("\n" + lead)
	}
	m.lines, m.led = 0, len(lead)
}

// due asks for line ends before the next text.
func (m *markdown) due(lines int) {
	if m.cells > 0 {
		m.space = true
		return
	}
	m.lines, m.space = max(m.lines, lines), false
}

func (m *markdown) element(tag string, attrs map[string]string, start bool) {
	if hiding[tag] {
		m.hidden = deeper(m.hidden, start)
	}
	if m.hidden > 0 {
		return
	}
	switch {
	case len(tag) == 2 && tag[0] == 'h' && tag[1] >= '1' && tag[1] <= '6':
		m.due(2)
		if start {
			m.write(strings.Repeat("#", int(tag[1]-'0')) + " ")
		}
	case marking[tag] != "":
		if m.pre == 0 {
			m.mark(marking[tag], start)
		}
	case tag == "a":
		m.closeLink()
		if href := attrs["href"]; start && href != "" && !strings.HasPrefix(href, "#") {
			m.linked, m.href = true, href
			m.marks = append(m.marks, '[')
		}
	case tag == "img":
		if start && attrs["src"] != "" {
			m.write("![" + attrs["alt"] + "](" + attrs["src"] + ")")
		}
	case blocks[tag]:
		m.block(tag, attrs, start)
	}
}

// mark opens or closes a mark. What has no text has no marks, and a space beside
// a mark is outside of it.
func (m *markdown) mark(mark string, start bool) {
	switch {
	case start:
		m.opened[mark]++
		m.marks = append(m.marks, mark...)
	case m.opened[mark] == 0:
	case strings.HasSuffix(string(m.marks[max(len(m.marks)-len(mark), 0):]), mark):
		m.opened[mark]--
		m.marks = m.marks[:len(m.marks)-len(mark)]
	default:
		m.opened[mark]--
		m.out.WriteString(mark)
	}
}

func (m *markdown) closeLink() {
	if !m.linked {
		return
	}
	m.linked = false
	if last := len(m.marks) - 1; last >= 0 && m.marks[last] == '[' {
		m.marks = m.marks[:last]
		return
	}
	m.out.WriteString("](" + m.href + ")")
}

func (m *markdown) block(tag string, attrs map[string]string, start bool) {
	switch tag {
	case "br":
		m.due(1)
	case "hr":
		m.due(2)
		m.write("---")
		m.due(2)
	case "pre":
		m.code(start)
	case "blockquote":
		m.due(2)
		m.quotes = deeper(m.quotes, start)
	case "ul", "ol", "menu":
		m.due(2 - min(len(m.lists), 1))
		switch {
		case start && tag == "ol":
			first, _ := strconv.Atoi(attrs["start"])
			m.lists = append(m.lists, max(first, 1))
		case start:
			m.lists = append(m.lists, 0)
		case len(m.lists) > 0:
			m.lists = m.lists[:len(m.lists)-1]
		}
		m.due(2 - min(len(m.lists), 1))
	case "li", "dt", "dd":
		m.due(1)
		if tag == "li" && start {
			mark := "- "
			depth := len(m.lists)
			if depth > 0 && m.lists[depth-1] > 0 {
				mark = strconv.Itoa(m.lists[depth-1]) + ". "
				m.lists[depth-1]++
			}
			m.write(strings.Repeat("  ", min(max(depth-1, 0), mostDepth)) + mark)
		}
	case "table", "tr", "td", "th":
		m.table(tag, start)
	default:
		m.due(2)
	}
}

// code begins or ends a block of code.
func (m *markdown) code(start bool) {
	if !start && m.pre == 0 {
		return
	}
	if m.pre = deeper(m.pre, start); start {
		m.due(2)
		m.write("```")
		m.due(1)
		return
	}
	m.due(1)
	m.write("```")
	m.due(2)
}

// table writes rows of cells, with a line below the first row.
func (m *markdown) table(tag string, start bool) {
	if tag == "table" && start {
		m.endRow()
		m.due(2)
		m.rows = append(m.rows, row{})
	}
	last := len(m.rows) - 1
	switch {
	case last < 0 || tag == "table" && start:
	case tag == "table":
		m.endRow()
		m.rows = m.rows[:last]
		m.due(2)
	case tag == "tr":
		m.endRow()
	case start:
		m.rows[last].cells++
		m.space = m.rows[last].cells > 1
		m.write("|")
		m.cells, m.space = 1, true
	}
}

// endRow ends the row under way, if there is one.
func (m *markdown) endRow() {
	last := len(m.rows) - 1
	if last < 0 || m.rows[last].cells == 0 {
		return
	}
	r := &m.rows[last]
	m.out.WriteString(" |")
	m.cells, m.space = 0, false
	m.due(1)
	if r.rows++; r.rows == 1 {
		m.write(strings.Repeat("| --- ", r.cells) + "|")
		m.due(1)
	}
	r.cells = 0
}

// deeper returns a depth after the start or the end of an element.
func deeper(depth int, start bool) int {
	if start {
		return depth + 1
	}
	return max(depth-1, 0)
}
