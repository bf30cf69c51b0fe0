package pycall

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// maxDigits is CPython's limit for decimal ints (sys.set_int_max_str_digits).
const maxDigits = 4300

// number skips a number as CPython's tokenizer does.
func (p *parser) number() {
	n := numberScan{src: p.src, i: p.pos}
	n.scan()
	if n.err != "" {
		p.syntax(p.pos, n.err)
		return
	}
	p.tok, p.end = tNumber, n.i
}

type numberScan struct {
	src string
	i   int
	err string
}

func (n *numberScan) at() byte {
	if n.i < len(n.src) {
		return n.src[n.i]
	}
	return 0
}

func (n *numberScan) scan() {
	if n.at() == '0' && n.i+1 < len(n.src) {
		switch n.src[n.i+1] | 0x20 {
		case 'x':
			n.based("hexadecimal", "0123456789abcdefABCDEF")
			return
		case 'o':
			n.based("octal", "01234567")
			return
		case 'b':
			n.based("binary", "01")
			return
		}
	}
	start := n.i
	if n.at() != '.' {
		n.digits()
	}
	whole := n.i
	if n.at() == '.' {
		if n.i++; isDigit(n.at()) {
			n.digits()
		}
	}
	if !n.exponent() {
		return
	}
	kind := "decimal"
	switch {
	case n.at()|0x20 == 'j':
		n.i++
		kind = "imaginary"
	case n.i == whole && n.src[start] == '0' && strings.Trim(n.src[start:whole], "0_") != "":
		n.err = "leading zeros in decimal integer literals are not permitted"
		return
	}
	n.ends(kind)
}

// based skips a prefix such as "0x" and its digits; a "_" may come before each
// group of digits.
func (n *numberScan) based(kind, digits string) {
	n.i += 2
	for {
		if n.at() == '_' {
			n.i++
		}
		start := n.i
		for n.i < len(n.src) && strings.IndexByte(digits, n.src[n.i]) >= 0 {
			n.i++
		}
		if n.i == start || isDigit(n.at()) {
			n.err = "invalid " + kind + " literal"
			return
		}
		if n.at() != '_' {
			break
		}
	}
	n.ends(kind)
}

func (n *numberScan) digits() {
	for {
		for isDigit(n.at()) {
			n.i++
		}
		if n.at() != '_' {
			return
		}
		if n.i++; !isDigit(n.at()) {
			n.err = "invalid decimal literal"
			return
		}
	}
}

// exponent skips an exponent, if there is one. It returns false if the number
// ends here or is malformed: an "e" without digits may begin the word "else".
func (n *numberScan) exponent() bool {
	if n.err != "" {
		return false
	}
	if n.at()|0x20 != 'e' {
		return true
	}
	e := n.i
	n.i++
	if n.at() == '+' || n.at() == '-' {
		if n.i++; !isDigit(n.at()) {
			n.err = "invalid decimal literal"
			return false
		}
	} else if !isDigit(n.at()) {
		n.i = e
		n.ends("decimal")
		return false
	}
	n.digits()
	return n.err == ""
}

// ends refuses a name right after a number, except the keywords that CPython
// 3.11 still allows there.
func (n *numberScan) ends(kind string) {
	if n.err != "" || !isNameByte(n.at()) {
		return
	}
	for _, word := range [...]string{"and", "else", "for", "if", "in", "is", "or", "not"} {
		if strings.HasPrefix(n.src[n.i:], word) {
			return
		}
	}
	n.err = "invalid " + kind + " literal"
}

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

// baseOf is the base that the letter after a 0 names, or 0 if it names none.
func baseOf(letter byte) int {
	switch letter | 0x20 {
	case 'x':
		return 16
	case 'o':
		return 8
	case 'b':
		return 2
	}
	return 0
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
		if base := baseOf(text[1]); base != 0 {
			n, _ := pyval.ParseInt(text[2:], base)
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
