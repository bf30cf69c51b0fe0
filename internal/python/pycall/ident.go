package pycall

import (
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// identifier is a non-ASCII name as Python keeps it, in form NFKC; "" if it is
// not a name.
func identifier(text string) string {
	for i, r := range text {
		if !xidContinue(r) || i == 0 && !xidStart(r) {
			return ""
		}
	}
	return norm.NFKC.String(text)
}

// xidStart reports whether r is "_", which Python allows, or has the Unicode
// property XID_Start.
func xidStart(r rune) bool {
	if r == '_' {
		return true
	}
	if !unicode.In(r, unicode.L, unicode.Nl, unicode.Other_ID_Start) || unicode.Is(unicode.Pattern_Syntax, r) {
		return false
	}
	return !unicode.Is(notXID, r) && !unicode.Is(notXIDStart, r)
}

// xidContinue reports whether r has the Unicode property XID_Continue.
func xidContinue(r rune) bool {
	if r < 0x80 {
		return isNameByte(byte(r))
	}
	if !unicode.In(r, unicode.L, unicode.Nl, unicode.Mn, unicode.Mc, unicode.Nd, unicode.Pc,
		unicode.Other_ID_Start, unicode.Other_ID_Continue) || unicode.Is(unicode.Pattern_Syntax, r) {
		return false
	}
	return !unicode.Is(notXID, r)
}

// notXID and notXIDStart are the letters that Unicode takes out of ID_Start and
// ID_Continue, because normalisation turns them into something else.
var (
	notXID = &unicode.RangeTable{R16: []unicode.Range16{
		{Lo: 0x037a, Hi: 0x037a, Stride: 1}, {Lo: 0x309b, Hi: 0x309c, Stride: 1},
		{Lo: 0xfc5e, Hi: 0xfc63, Stride: 1}, {Lo: 0xfdfa, Hi: 0xfdfb, Stride: 1},
		{Lo: 0xfe70, Hi: 0xfe7e, Stride: 2},
	}}
	notXIDStart = &unicode.RangeTable{R16: []unicode.Range16{
		{Lo: 0x0e33, Hi: 0x0e33, Stride: 1}, {Lo: 0x0eb3, Hi: 0x0eb3, Stride: 1},
		{Lo: 0xff9e, Hi: 0xff9f, Stride: 1},
	}}
)
