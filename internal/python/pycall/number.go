package pycall

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/gobfcl/bfcl/internal/pattern"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// maxDigits is CPython's limit for decimal ints (sys.set_int_max_str_digits).
const maxDigits = 4300

// numberForm is the longest beginning of a text that is a number.
var numberForm = pattern.Of(`^(?:0[xX](?:_?[0-9a-fA-F])*|0[oO](?:_?[0-7])*|0[bB](?:_?[01])*|` +
	`(?:` + digits + `(?:\.(?:` + digits + `)?)?|\.` + digits + `)(?:[eE][+-]?` + digits + `)?[jJ]?)`)

const digits = `[0-9](?:_?[0-9])*`

// bases name the literals of the bases by the letter after the 0.
var bases = map[byte]string{'x': "hexadecimal", 'o': "octal", 'b': "binary"}

// number skips a number as CPython's tokenizer does. A name right after it is
// refused, except the keywords that CPython 3.11 still allows there.
func (p *parser) number() {
	text := numberForm().FindString(p.src[p.pos:])
	p.tok, p.end = tNumber, p.pos+len(text)
	rest, next, kind := p.src[p.end:], byte(0), ""
	if rest != "" {
		next = rest[0]
	}
	if len(text) > 1 && text[0] == '0' {
		kind = bases[text[1]|0x20]
	}
	based := kind != ""
	switch {
	case based:
	case text[len(text)-1]|0x20 == 'j':
		kind = "imaginary"
	default:
		kind = "decimal"
	}
	switch {
	case next|0x20 != 'e' && next != '_' && text[0] == '0' && strings.Trim(text, "0_") != "" && strings.Trim(text, "0123456789_") == "":
		p.syntax(p.pos, "leading zeros in decimal integer literals are not permitted")
	case based && len(text) == 2, isNameByte(next) && !slices.ContainsFunc(afterNumber, func(word string) bool { return strings.HasPrefix(rest, word) }):
		p.syntax(p.pos, "invalid "+kind+" literal")
	}
}

var afterNumber = []string{"and", "else", "for", "if", "in", "is", "or", "not"}

// plainDigits reports whether a number is a few digits and nothing else.
func plainDigits(text string) bool {
	const most = 18
	if len(text) > most {
		return false
	}
	for i := range len(text) {
		if !isDigit(text[i]) {
			return false
		}
	}
	return true
}

// Number returns the value of a number's text.
func Number(text string) (pyval.Value, error) {
	if plainDigits(text) {
		return pyval.ReadInt(text), nil
	}
	if strings.IndexByte(text, '_') >= 0 {
		text = strings.ReplaceAll(text, "_", "")
	}
	if len(text) > 2 && text[0] == '0' && text[1] > '9' {
		if n, ok := pyval.ParseInt(text, 0); ok {
			return n, nil
		}
	}
	if text[len(text)-1]|0x20 == 'j' {
		f, _ := strconv.ParseFloat(text[:len(text)-1], 64)
		return pyval.Complex(complex(0, f)), nil
	}
	if strings.ContainsAny(text, ".eE") {
		return pyval.ParseFloat(text), nil
	}
	if len(text) > maxDigits {
		return nil, fmt.Errorf("integer of more than %d digits", maxDigits)
	}
	n, _ := pyval.ParseInt(text, 10)
	return n, nil
}
