package provider

import (
	"iter"
	"strings"
)

// Events returns the data of server-sent events: of each event its lines of
// data, joined. Lines end in LF, CR or both; comments, names and ids are
// skipped. A last event without its empty line counts too.
func Events(body string) iter.Seq[string] {
	return func(yield func(string) bool) {
		var data []string
		for len(body) > 0 {
			var line string
			line, body = cutLine(body)
			if line == "" {
				if len(data) > 0 && !yield(strings.Join(data, "\n")) {
					return
				}
				data = data[:0]
				continue
			}
			if text, ok := strings.CutPrefix(line, "data:"); ok {
				data = append(data, strings.TrimPrefix(text, " "))
			} else if line == "data" {
				data = append(data, "")
			}
		}
		if len(data) > 0 {
			yield(strings.Join(data, "\n"))
		}
	}
}

// cutLine returns the first line of a text, without its end, and the rest.
func cutLine(text string) (line, rest string) {
	i := strings.IndexAny(text, "\r\n")
	if i < 0 {
		return text, ""
	}
	end := i + 1
	if text[i] == '\r' && end < len(text) && text[end] == '\n' {
		end++
	}
	return text[:i], text[end:]
}
