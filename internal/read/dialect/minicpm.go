package dialect

import (
	"strings"

	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/read/decode"
)

const (
	minicpmStart = "<|tool_call_start|>"
	minicpmEnd   = "<|tool_call_end|>"
)

// minicpmCalls reads Python calls, one a line, between marks. If they cannot be
// read, the answer is the text after the marks.
func minicpmCalls(result pyval.Value) pyval.Value {
	s := str(result)
	if strings.Contains(s, "<|thought_start|>") {
		s = behind(s, "<|thought_end|>")
	}
	end := strings.LastIndex(s, minicpmEnd)
	if end < 0 || !strings.Contains(s, minicpmStart) {
		return pyval.Str(pyval.Strip(s))
	}
	said := pyval.Str(pyval.Strip(s[end+len(minicpmEnd):]))
	if _, code, ok := strings.Cut(s[:end], minicpmStart); ok {
		if found, ok := statements(minicpmCode(code)); ok {
			return found
		}
	}
	return said
}

// minicpmCode removes the fence. Upstream removes every leading letter of the
// word "python", not only the word.
func minicpmCode(s string) string {
	s = pyval.Strip(s)
	if strings.HasPrefix(s, "```") {
		s = pyval.Strip(strings.TrimLeft(s, "`"))
		if strings.HasPrefix(s, "python") {
			s = pyval.Strip(strings.TrimLeft(s, "python"))
		}
	}
	return pyval.Strip(strings.TrimRight(s, "`"))
}

// longStatement is the maximum number of lines of a statement.
const longStatement = 200

// statements reads calls, each of which is a statement.
func statements(code string) (*pyval.List, bool) {
	out := &pyval.List{}
	statement, lines := "", 0
	for line := range strings.SplitSeq(code, "\n") {
		line = strings.TrimSuffix(line, "\r")
		switch {
		case statement != "":
			statement += "\n" + line
			lines++
		case pyval.Strip(line) == "":
			continue
		case strings.ContainsAny(line[:1], " \t['{\""):
			return nil, false // an indented line, or not a call
		default:
			statement, lines = line, 1
		}
		if lines > longStatement {
			return nil, false
		}
		if found, err := decode.AST(statement, decode.Python, false); err == nil {
			out.Items = append(out.Items, found.(*pyval.List).Items...)
			statement = ""
		}
	}
	return out, statement == ""
}

// minicpmExecute writes the calls; a text has none.
func minicpmExecute(result pyval.Value, _ Grammar) []string {
	found := minicpmCalls(result)
	if found.Kind() != pyval.KindList {
		return []string{}
	}
	return pyval.Must(decode.ExecutionList(found))
}
