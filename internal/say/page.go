package say

import (
	"cmp"
	"fmt"
	"io"
	"strings"
)

// A Screen is what a text is written for.
type Screen struct {
	// Width is a terminal's number of columns, and Colour asks for ANSI escapes.
	Width  int
	Colour bool
	// Markdown asks for that of GitHub and GitLab instead.
	Markdown bool
}

// Paint colours a text by the number of an ANSI style; 0 leaves it plain.
func (s Screen) Paint(style int, text string) string {
	if !s.Colour {
		return text
	}
	return Paint(style, text)
}

// A Page is a text for a screen. A blank line follows its tables and notes.
type Page struct {
	Screen
	strings.Builder
}

// Send writes the page.
func (p *Page) Send(w io.Writer) error {
	_, err := io.WriteString(w, strings.TrimRight(p.String(), "\n")+"\n")
	return err
}

// Columns returns how wide a line may be.
func (p *Page) Columns() int { return cmp.Or(p.Width, 80) }

// Line writes a line in an ANSI style.
func (p *Page) Line(style int, text string) {
	if p.Markdown {
		p.WriteString(PlainMarkdown(text) + "\n\n")
		return
	}
	p.WriteString(p.Paint(style, text) + "\n")
}

// Table writes a table that fits, and says what it left out.
func (p *Page) Table(t *Table) {
	if p.Markdown {
		t.Markdown(&p.Builder)
		return
	}
	if !p.Colour {
		t.Colour = nil
	}
	fitted, left := t.Fit(p.Width)
	fitted.Text(&p.Builder)
	p.WriteString("\n")
	if len(left) > 0 {
		p.Notes(fmt.Sprintf("Not shown in %d columns: %s. A wider terminal, COLUMNS or --json has them.", p.Width, strings.Join(left, ", ")))
	}
}

// Notes writes remarks, each indented after its first line.
func (p *Page) Notes(remarks ...string) {
	for _, remark := range remarks {
		if p.Markdown {
			p.Line(0, remark)
		} else {
			p.WriteString(strings.Join(Wrap(remark, p.Columns()-2), "\n  ") + "\n")
		}
	}
	if !p.Markdown {
		p.WriteString("\n")
	}
}

// Margin is how far the texts of a Row stand from its head.
const Margin = 7

// Row writes texts below each other beside a head; nothing if there are none.
func (p *Page) Row(head string, texts ...string) {
	for _, text := range texts {
		if p.Markdown {
			p.Line(0, head+": "+text)
			continue
		}
		for _, line := range Wrap(text, p.Columns()-Margin) {
			if line != "" {
				fmt.Fprintf(p, "%-*s%s\n", Margin, head, line)
				head = ""
			}
		}
	}
}

// Fold writes what is folded in Markdown.
func (p *Page) Fold(title string, body func()) {
	if !p.Markdown {
		p.WriteString(title + "\n")
		body()
		return
	}
	p.WriteString("<details><summary>" + PlainMarkdown(title) + "</summary>\n\n")
	body()
	p.WriteString("</details>\n\n")
}
