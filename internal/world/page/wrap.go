package page

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// columns is how wide html2text makes lines.
const columns = 78

// wrapAll breaks long lines of Markdown and keeps single empty lines between
// paragraphs: html2text's optwrap.
func wrapAll(src string) string {
	var b strings.Builder
	newlines := 0
	for para := range strings.SplitSeq(src, "\n") {
		switch {
		case para == "":
			if newlines < 2 {
				b.WriteByte('\n')
				newlines++
			}
		case keepsLine(para):
			if !spacePlus.MatchString(para) {
				b.WriteString(para + "\n")
				newlines = 1
			}
		default:
			indent := ""
			if strings.HasPrefix(para, "  *") {
				indent = "    "
			} else if strings.HasPrefix(para, "> ") {
				indent = "> "
			}
			b.WriteString(strings.Join(wrap(para, columns, indent), "\n"))
			end := "\n\n"
			if newlines = 2; strings.HasSuffix(para, "  ") {
				end, newlines = "  \n", 1
			} else if indent != "" {
				end, newlines = "\n", 1
			}
			b.WriteString(end)
		}
	}
	return b.String()
}

var (
	spacePlus = regexp.MustCompile(`^\s\+`) // as html2text's RE_SPACE happens to read
	listed    = regexp.MustCompile(`^(\d+\.|[-*+])\s`)
)

// keepsLine reports whether a line must not be broken: code, lists, tables.
func keepsLine(para string) bool {
	if strings.HasPrefix(para, "    ") || para[0] == '\t' {
		return true
	}
	line := strings.TrimLeftFunc(para, pyval.IsSpace)
	switch {
	case strings.HasPrefix(line, "--") && len(line) > 2 && line[2] != '-':
		return false
	case strings.HasPrefix(line, "-"), strings.HasPrefix(line, "*") && !strings.HasPrefix(line, "**"):
		return true
	}
	return listed.MatchString(line) || strings.Contains(para, " | ")
}

// wrap is Python's textwrap.wrap(text, width, break_long_words=False,
// subsequent_indent=indent).
func wrap(text string, width int, indent string) []string {
	chunks := chunksOf(strings.Map(blankOut, expandTabs(text)))
	var lines []string
	for len(chunks) > 0 {
		margin := ""
		if len(lines) > 0 {
			margin = indent
			if isBlank(chunks[0]) {
				chunks = chunks[1:]
			}
		}
		n, length := 0, 0
		room := width - len(margin)
		for n < len(chunks) {
			l := utf8.RuneCountInString(chunks[n])
			if length+l > room {
				break
			}
			length += l
			n++
		}
		if n == 0 && len(chunks) > 0 {
			n = 1 // a long word has a line of its own
		}
		line := chunks[:n]
		chunks = chunks[n:]
		if len(line) > 0 && isBlank(line[len(line)-1]) {
			line = line[:len(line)-1]
		}
		if len(line) > 0 {
			lines = append(lines, margin+strings.Join(line, ""))
		}
	}
	return lines
}

func isBlank(chunk string) bool { return strings.TrimFunc(chunk, pyval.IsSpace) == "" }

func isASCIIBlank(r rune) bool { return r == ' ' || r >= '\t' && r <= '\r' }

func blankOut(r rune) rune {
	if isASCIIBlank(r) {
		return ' '
	}
	return r
}

// expandTabs is Python's str.expandtabs().
func expandTabs(s string) string {
	if !strings.Contains(s, "\t") {
		return s
	}
	var b strings.Builder
	column := 0
	for _, r := range s {
		switch r {
		case '\t':
			n := 8 - column%8
			b.WriteString(strings.Repeat(" ", n))
			column += n
		case '\n', '\r':
			b.WriteRune(r)
			column = 0
		default:
			b.WriteRune(r)
			column++
		}
	}
	return b.String()
}

// chunksOf splits a text at the places where a line may be broken: at white
// space, behind the hyphens of words, and around dashes (textwrap's
// wordsep_re).
func chunksOf(text string) []string {
	r := []rune(text)
	var chunks []string
	for i := 0; i < len(r); {
		end := chunkEnd(r, i)
		chunks = append(chunks, string(r[i:end]))
		i = end
	}
	return chunks
}

func chunkEnd(r []rune, i int) int {
	if r[i] == ' ' {
		for i < len(r) && r[i] == ' ' {
			i++
		}
		return i
	}
	if end := dashEnd(r, i); end > i && i > 0 && beforeDash(r[i-1]) {
		return end
	}
	for end := i + 1; end < len(r); end++ {
		if r[end] == ' ' || end > i+1 && hyphenated(r, end) || beforeDash(r[end-1]) && dashEnd(r, end) > end {
			return end
		}
	}
	return len(r)
}

// dashEnd is the end of a run of two or more hyphens at i that a word follows.
func dashEnd(r []rune, i int) int {
	end := i
	for end < len(r) && r[end] == '-' {
		end++
	}
	if end-i >= 2 && end < len(r) && isWord(r[end]) {
		return end
	}
	return i
}

// hyphenated reports whether a word may be broken before end, behind a hyphen.
func hyphenated(r []rune, end int) bool {
	if r[end-1] != '-' || end < 3 || !letter(r, end) || !letter(r, end-2) {
		return false
	}
	if !letter(r, end+1) && (end+2 >= len(r) || r[end+1] != '-' || !letter(r, end+2)) {
		return false
	}
	return letter(r, end-3) || r[end-3] == '-' && end >= 4 && letter(r, end-4)
}

func letter(r []rune, i int) bool {
	return i >= 0 && i < len(r) && isWord(r[i]) && !unicode.IsDigit(r[i])
}

func isWord(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsNumber(r) }

func beforeDash(r rune) bool { return isWord(r) || strings.ContainsRune(`!"'&.,?`, r) }
