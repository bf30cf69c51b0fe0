package page

import (
	"regexp"
	"strconv"
	"strings"
)

// Markdown is html2text's HTML2Text().handle(src) with its defaults.
func Markdown(src string) string {
	m := &markdown{}
	m.fresh = true
	parse(src, m)
	m.finish()
	return wrapAll(strings.ReplaceAll(string(m.out), hardSpace, " "))
}

// A markdown turns events into Markdown. Its fields follow html2text's.
type markdown struct {
	output
	tag string // the last one

	links    []*link // open a elements
	pending  *string // the address of an a element that has shown nothing yet
	empty    bool    // the open a element has shown nothing
	lists    []*numbering
	lastList bool // the last tag was a list's

	code     bool
	quoting  bool
	stressed bool   // a mark of emphasis was just opened
	relaxed  bool   // stressed text was just written
	said     string // the last piece of text

	header   bool // in a table's first row
	nextCell bool
	cells    int

	glossary []abbreviation
}

type link struct{ href, title string }

type numbering struct {
	ordered bool
	n       int
}

type abbreviation struct{ short, long string }

// level is n of hn; 0 for other tags.
func level(tag string) int {
	if len(tag) == 2 && tag[0] == 'h' && tag[1] >= '1' && tag[1] <= '9' {
		return int(tag[1] - '0')
	}
	return 0
}

func (m *markdown) start(tag string, attrs map[string]string) { m.element(tag, attrs, true) }

func (m *markdown) end(tag string) { m.element(tag, nil, false) }

func (m *markdown) other() {}

func (m *markdown) element(tag string, attrs map[string]string, start bool) {
	m.tag = tag
	if start && m.pending != nil {
		switch tag {
		case "p", "div", "style", "dl", "dt", "img":
		default:
			m.openLink()
		}
	}
	if level(tag) > 0 && m.heading(tag, start) {
		return
	}
	m.hide(tag, start)
	m.block(tag, start)
	m.inline(tag, attrs, start)
	m.anchor(tag, attrs, start)
	m.list(tag, attrs, start)
	m.table(tag, start)
	if tag == "pre" {
		m.startPre = m.startPre || start
		m.pre = start
		m.paragraph()
	}
}

// openLink writes the bracket of a link that was waiting for its text.
func (m *markdown) openLink() {
	m.write("[")
	m.pending, m.empty = nil, false
}

// heading reports whether the tag is dealt with.
func (m *markdown) heading(tag string, start bool) bool {
	marks := strings.Repeat("#", level(tag)) + " "
	switch {
	case len(m.links) == 0:
		m.paragraph()
		if start {
			m.write(marks)
		}
		return !start
	case !start:
		m.due = 0 // the link's name is not to be broken
		return true
	case m.unwrite("["):
		m.space = false
		m.write(marks)
		m.write("[")
	}
	return false
}

// hide suppresses output inside elements that show nothing.
func (m *markdown) hide(tag string, start bool) {
	switch tag {
	case "head", "style", "script":
		if start {
			m.quiet++
		} else {
			m.quiet--
		}
	case "body":
		m.quiet = 0
	}
}

func (m *markdown) block(tag string, start bool) {
	switch tag {
	case "p", "div":
		if len(m.links) == 0 && !m.nextCell {
			m.paragraph()
		}
	case "br":
		if start {
			mark := "  \n"
			if m.quotes > 0 {
				mark += "> "
			}
			m.write(mark)
		}
	case "hr":
		if start {
			m.paragraph()
			m.write("* * *")
			m.paragraph()
		}
	case "blockquote":
		if !start {
			m.quotes--
			m.paragraph()
			return
		}
		m.paragraph()
		m.put("> ", false, true)
		m.fresh = true
		m.quotes++
	}
}

func (m *markdown) inline(tag string, attrs map[string]string, start bool) {
	switch tag {
	case "em", "i", "u":
		m.mark("_", start, start && m.said != "" && !strings.ContainsAny(lastByte(m.said), " \t\n\r\v\f!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"))
	case "strong", "b":
		m.mark("**", start, start && strings.HasSuffix(m.said, "*"))
	case "del", "strike", "s":
		m.mark("~~", start, start && strings.HasSuffix(m.said, "~"))
	case "kbd", "code", "tt":
		if !m.pre {
			m.write("`")
			m.code = !m.code
		}
	case "abbr":
		m.abbreviation(attrs, start)
	case "q":
		m.write(`"`)
		m.quoting = !m.quoting
	}
}

func lastByte(s string) string { return s[len(s)-1:] }

// mark writes a mark of emphasis, separated from text that it would otherwise
// attach to.
func (m *markdown) mark(mark string, start, apart bool) {
	if apart {
		mark = " " + mark
		m.said += " "
	}
	m.write(mark)
	if start {
		m.stressed = true
	}
}

func (m *markdown) abbreviation(attrs map[string]string, start bool) {
	if start {
		title, ok := attrs["title"]
		m.short, m.collecting, m.long = "", true, nil
		if ok {
			m.long = &title
		}
		return
	}
	if m.long != nil {
		m.define(m.short, *m.long)
		m.long = nil
	}
	m.collecting = false
}

func (m *markdown) define(short, long string) {
	for i := range m.glossary {
		if m.glossary[i].short == short {
			m.glossary[i].long = long
			return
		}
	}
	const most = 1000
	if len(m.glossary) < most {
		m.glossary = append(m.glossary, abbreviation{short, long})
	}
}

func (m *markdown) anchor(tag string, attrs map[string]string, start bool) {
	switch {
	case tag == "a" && start:
		href, ok := attrs["href"]
		if !ok || strings.HasPrefix(href, "#") {
			m.links = append(m.links, nil)
			return
		}
		m.links = append(m.links, &link{href, attrs["title"]})
		m.pending, m.empty = &href, true
	case tag == "a" && len(m.links) > 0:
		m.closeLink()
	case tag == "img" && start:
		m.image(attrs)
	}
}

func (m *markdown) closeLink() {
	a := m.links[len(m.links)-1]
	m.links = m.links[:len(m.links)-1]
	if m.pending != nil && !m.empty {
		m.pending = nil
		return
	}
	if a == nil {
		return
	}
	if m.empty {
		m.openLink()
	}
	m.due = 0
	title := escapeBrackets(a.title)
	if strings.TrimSpace(title) != "" {
		title = ` "` + title + `"`
	} else {
		title = ""
	}
	m.write("](" + escapeBrackets(a.href) + title + ")")
}

func (m *markdown) image(attrs map[string]string) {
	src, ok := attrs["src"]
	if !ok {
		return
	}
	if m.pending != nil {
		m.openLink()
	}
	m.write("![" + escapeBrackets(attrs["alt"]) + "]")
	m.write("(" + escapeBrackets(src) + ")")
}

func (m *markdown) list(tag string, attrs map[string]string, start bool) {
	switch tag {
	case "dl":
		if start {
			m.paragraph()
		}
	case "dt":
		if !start {
			m.breakLine()
		}
	case "dd":
		if start {
			m.write("    ")
		} else {
			m.breakLine()
		}
	case "li":
		m.item(start)
	}
	if tag != "ol" && tag != "ul" {
		m.lastList = false
		return
	}
	if len(m.lists) == 0 && !m.lastList {
		m.paragraph()
	}
	m.lastList = true
	switch {
	case start:
		if len(m.lists) < maxMargin {
			m.lists = append(m.lists, &numbering{tag == "ol", firstNumber(attrs)})
		}
	case len(m.lists) > 0:
		m.lists = m.lists[:len(m.lists)-1]
		if len(m.lists) == 0 {
			m.write("\n")
		}
	}
	m.inLists = len(m.lists)
}

// firstNumber is one less than the number at which an ordered list begins.
func firstNumber(attrs map[string]string) int {
	if n, err := strconv.Atoi(strings.TrimSpace(attrs["start"])); err == nil {
		return n - 1
	}
	return 0
}

func (m *markdown) item(start bool) {
	m.breakLine()
	if !start {
		return
	}
	mark := "* "
	outer := false
	for _, l := range m.lists {
		if outer && !l.ordered {
			m.write("   ")
		} else {
			m.write("  ")
		}
		outer = l.ordered
	}
	if n := len(m.lists); n > 0 && m.lists[n-1].ordered {
		m.lists[n-1].n++
		mark = strconv.Itoa(m.lists[n-1].n) + ". "
	}
	m.write(mark)
	m.fresh = true
}

func (m *markdown) table(tag string, start bool) {
	switch tag {
	case "table":
		m.header = m.header || start
	case "td", "th":
		if !start {
			return
		}
		if m.nextCell {
			m.write("| ")
		}
		m.nextCell = true
		m.cells++
	case "tr":
		if start {
			m.cells = 0
			return
		}
		m.nextCell = false
		m.softBreak()
		if m.header {
			const most = 1000
			m.write(strings.TrimSuffix(strings.Repeat("---|", min(m.cells, most)), "|"))
			m.softBreak()
			m.header = false
		}
	}
}

// bracketed are the characters that break a link's text or address.
var bracketed = strings.NewReplacer(`\`, `\\`, `[`, `\[`, `]`, `\]`, `(`, `\(`, `)`, `\)`)

func escapeBrackets(s string) string { return bracketed.Replace(s) }

var (
	numbered = regexp.MustCompile(`(?m)^(\s*\d+)\.(\s)`)
	plused   = regexp.MustCompile(`(?m)^(\s*)\+(\s)`)
	dashed   = regexp.MustCompile(`(?m)^(\s*)-([\s-])`)
)

// escapeBackslashes doubles the backslashes before a mark.
func escapeBackslashes(s string) string {
	var b strings.Builder
	for i := range len(s) {
		if s[i] == '\\' && i+1 < len(s) && strings.IndexByte("\\`*_{}[]()#+-.!", s[i+1]) >= 0 {
			b.WriteByte('\\')
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// escapeLine keeps text from being read as marks: html2text's
// escape_md_section.
func escapeLine(s string) string {
	if strings.Contains(s, `\`) {
		s = escapeBackslashes(s)
	}
	if strings.Contains(s, ".") {
		s = numbered.ReplaceAllString(s, `$1\.$2`)
	}
	if strings.Contains(s, "+") {
		s = plused.ReplaceAllString(s, `$1\+$2`)
	}
	if strings.Contains(s, "-") {
		s = dashed.ReplaceAllString(s, `$1\-$2`)
	}
	return s
}
