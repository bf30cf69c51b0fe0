package offline

import (
	"fmt"
	"html"
	"strings"
)

// render is the page as HTML, with the scripts, styles and links around the
// text that real pages have: the modes of a fetch differ in them.
func (p *source) render() string {
	var b strings.Builder
	title := html.EscapeString(p.title + " | " + p.site)
	fmt.Fprintf(&b, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<title>%s</title>\n<meta name=\"viewport\" content=\"width=device-width\">\n", title)
	fmt.Fprintf(&b, "<style>body{max-width:44em;margin:auto}nav a{margin-right:1em}</style>\n<script>window.page={path:%q,views:0};window.page.views++;</script>\n</head>\n<body>\n", p.path)
	fmt.Fprintf(&b, "<header><a href=\"/\">%s</a></header>\n<main>\n<h1>%s</h1>\n", html.EscapeString(p.site), html.EscapeString(p.title))
	if p.date != "" {
		fmt.Fprintf(&b, "<p class=\"date\"><time datetime=%q>%s</time></p>\n", p.date, p.date)
	}
	for block := range strings.SplitSeq(strings.TrimSpace(p.body.String()), "\n\n") {
		b.WriteString(renderBlock(strings.TrimSpace(block)))
	}
	fmt.Fprintf(&b, "</main>\n<footer><nav><a href=\"/\">Front page</a></nav><!-- end of page --><p>&copy; %s</p></footer>\n", html.EscapeString(p.site))
	b.WriteString("<script src=\"/static/count.js\" async></script>\n</body>\n</html>\n")
	return b.String()
}

func renderBlock(block string) string {
	lines := strings.Split(block, "\n")
	switch {
	case block == "":
		return ""
	case strings.HasPrefix(block, "## "):
		return "<h2>" + inline(block[3:]) + "</h2>\n"
	case strings.HasPrefix(block, "> "):
		return "<blockquote><p>" + inline(block[2:]) + "</p></blockquote>\n"
	case strings.HasPrefix(block, "* "):
		return "<ul>\n" + each(lines, func(line string) string { return "<li>" + inline(strings.TrimPrefix(line, "* ")) + "</li>\n" }) + "</ul>\n"
	case strings.HasPrefix(block, "|"):
		cell := "th"
		return "<table>\n" + each(lines, func(line string) string {
			texts := strings.Split(strings.Trim(line, "|"), "|")
			row := "<tr>" + each(texts, func(text string) string {
				return "<" + cell + ">" + inline(strings.TrimSpace(text)) + "</" + cell + ">"
			}) + "</tr>\n"
			cell = "td"
			return row
		}) + "</table>\n"
	}
	return "<p>" + inline(block) + "</p>\n"
}

func each(lines []string, f func(string) string) string {
	var b strings.Builder
	for _, line := range lines {
		b.WriteString(f(line))
	}
	return b.String()
}

// inline renders links and bold words.
func inline(s string) string {
	var b strings.Builder
	for {
		before, text, target, after, ok := cutLink(s)
		b.WriteString(bold(before))
		if !ok {
			return b.String()
		}
		b.WriteString(`<a href="` + html.EscapeString(target) + `">` + bold(text) + "</a>")
		s = after
	}
}

func bold(s string) string {
	parts := strings.Split(html.EscapeString(s), "**")
	for i := 1; i < len(parts); i += 2 {
		parts[i] = "<strong>" + parts[i] + "</strong>"
	}
	return strings.Join(parts, "")
}
