package exec

import (
	"math/big"
	"strings"

	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// binary is Python's int(v, 2).
func binary(v pyval.Value) *big.Int {
	if v.Kind() != pyval.KindStr && v.Kind() != pyval.KindBytes {
		raise("TypeError", "int() can't convert non-string with explicit base")
	}
	n, ok := parseBinary(rawText(v))
	if !ok {
		raise("ValueError", "invalid literal for int() with base 2: %s", pyval.Repr(v))
	}
	return n
}

func parseBinary(text string) (*big.Int, bool) {
	digits := pyval.Strip(text)
	negative := strings.HasPrefix(digits, "-")
	if negative || strings.HasPrefix(digits, "+") {
		digits = digits[1:]
	}
	if len(digits) > 1 && digits[0] == '0' && digits[1]|0x20 == 'b' {
		digits = strings.TrimPrefix(digits[2:], "_")
	}
	digits, ok := joinDigits(digits)
	if !ok || len(digits) > maxBits || strings.Trim(digits, "01") != "" {
		return nil, false
	}
	n, ok := new(big.Int).SetString(digits, 2)
	if ok && negative {
		n.Neg(n)
	}
	return n, ok
}

// joinDigits takes out single underscores between digits.
func joinDigits(s string) (string, bool) {
	if s == "" || s[0] == '_' || s[len(s)-1] == '_' || strings.Contains(s, "__") {
		return "", false
	}
	return strings.ReplaceAll(s, "_", ""), true
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }
