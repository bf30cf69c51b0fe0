package pycall

import (
	"strconv"
	"strings"
	"sync"
	"unicode"

	"golang.org/x/text/unicode/runenames"
)

// namedRunes maps Unicode's names to characters. It is built at the first
// \N{..} escape, which models hardly ever write.
var namedRunes = sync.OnceValue(func() map[string]rune {
	names := make(map[string]rune, 1<<15)
	for r := rune(' '); r <= 0xe01ef; r++ {
		if name := runenames.Name(r); name != "" && name[0] != '<' {
			names[name] = r
		}
	}
	return names
})

const ideograph = "CJK UNIFIED IDEOGRAPH-"

// runeNamed is Python's unicodedata.lookup without aliases.
func runeNamed(name string) (rune, bool) {
	name = strings.ToUpper(name)
	if digits, ok := strings.CutPrefix(name, ideograph); ok {
		n, err := strconv.ParseUint(digits, 16, 32)
		if err != nil || len(digits) > 5 || len(digits) < 4 {
			return 0, false
		}
		return rune(n), unicode.Is(unicode.Unified_Ideograph, rune(n))
	}
	if syllable, ok := strings.CutPrefix(name, "HANGUL SYLLABLE "); ok {
		return hangul(syllable)
	}
	r, ok := namedRunes()[name]
	return r, ok
}

var (
	hangulLead  = strings.Split("G GG N D DD R M B BB S SS  J JJ C K T P H", " ")
	hangulVowel = strings.Split("A AE YA YAE EO E YEO YE O WA WAE OE YO U WEO WE WI YU EU YI I", " ")
	hangulTail  = strings.Split(" G GG GS N NJ NH D L LG LM LB LS LT LP LH M B BS S SS NG J C K T P H", " ")
)

// hangul is the syllable with the given romanised letters.
func hangul(name string) (rune, bool) {
	l, rest := longestPrefix(hangulLead, name)
	v, rest := longestPrefix(hangulVowel, rest)
	t, rest := longestPrefix(hangulTail, rest)
	if l < 0 || v < 0 || t < 0 || rest != "" {
		return 0, false
	}
	return 0xac00 + rune((l*len(hangulVowel)+v)*len(hangulTail)+t), true
}

func longestPrefix(table []string, s string) (index int, rest string) {
	index = -1
	for i, text := range table {
		if strings.HasPrefix(s, text) && (index < 0 || len(text) > len(table[index])) {
			index = i
		}
	}
	if index < 0 {
		return index, s
	}
	return index, s[len(table[index]):]
}
