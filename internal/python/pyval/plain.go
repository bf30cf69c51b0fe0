package pyval

import "math/bits"

// plainASCII is the length of the longest beginning of s that stands for itself
// in a JSON string of any format: ASCII from blank to '~' except quotes and
// backslashes. It looks at eight bytes at a time.
func plainASCII(s string) int {
	const (
		ones  = 0x0101010101010101
		highs = 0x80 * ones
	)
	i := 0
	for ; i+8 <= len(s); i += 8 {
		x := eightBytes(s[i:])
		quote, backslash := x^'"'*ones, x^'\\'*ones
		// The high bit of each byte that is not a plain one; beyond the first
		// such byte a carry may set more.
		odd := (quote-ones)&^quote | (backslash-ones)&^backslash | (x-' '*ones)&^x | (x + ones) | x
		if odd &= highs; odd != 0 {
			return i + bits.TrailingZeros64(odd)/8
		}
	}
	for i < len(s) && s[i] >= ' ' && s[i] < 0x7f && s[i] != '"' && s[i] != '\\' {
		i++
	}
	return i
}

// eightBytes are the first eight bytes of s, the first one lowest.
func eightBytes(s string) uint64 {
	_ = s[7]
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
		uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
}
