package javacall

import (
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// sample joins a few parts at random.
func sample(r *rand.Rand, most int, parts []string) string {
	var b strings.Builder
	for range r.IntN(most + 1) {
		b.WriteString(parts[r.IntN(len(parts))])
	}
	return b.String()
}

// TestForms holds what is matched by hand against the patterns.
func TestForms(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	parts := []string{"-", "0", "7", "12", "٣", ".", "e", "E", "+", "l", "L", "f", "F", "\n", "x", " "}
	matched := 0
	for range 100_000 {
		text := sample(r, 6, parts)
		for _, f := range []*form{&wholeForm, &longForm, &floatForm, &doubleForm} {
			want := f.pattern().MatchString(text)
			if want {
				matched++
			}
			if f.matches(text) != want {
				assert.Fail(t, "another form", "%q: %t wanted of %s", text, want, f.pattern)
			}
		}
	}
	assert.Greater(t, matched, 5000)
}

func TestCollectionForms(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	array := []string{"new ", "new int[]", "String", "[]", " ", "{", "}", "1, 2", "é", "\n", "new\t"}
	list := []string{"new ", "new ArrayList<", "String", ">(Arrays.asList(", ")", "))", "1, 2", "é", "\n", "ArrayList<>(", "new ArrayList<>(Arrays.asList("}
	matched := 0
	for range 100_000 {
		for _, c := range []struct {
			text    string
			read    func(string) (string, bool)
			pattern *regexp.Regexp
		}{{sample(r, 6, array), arrayItems, arrayForm()}, {sample(r, 6, list), listItems, listOfForm()}} {
			want, ok := "", false
			if m := c.pattern.FindStringSubmatch(c.text); m != nil {
				want, ok = m[1], true
				matched++
			}
			got, found := c.read(c.text)
			if got != want || found != ok {
				assert.Fail(t, "another collection", "%q: %q, %t, not %q, %t", c.text, want, ok, got, found)
			}
		}
	}
	assert.Greater(t, matched, 1000)
}

// TestShort holds the reading of plain integers against that of all numbers.
func TestShort(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	parts := []string{"0", "7", "12", ".", "e", "_", "x", "b", "o", "L", "f", "-", ")", ",", "é"}
	for range 100_000 {
		text := "123456789"[r.IntN(9):] + sample(r, 4, parts)
		if r.IntN(2) == 0 {
			text = "0" + sample(r, 4, parts)
		}
		if n := short(text); n != 0 && n != max(decimal(text), radix(text)) {
			assert.Fail(t, "another number", "%q: %d", text, n)
		}
	}
}

// TestKeyword holds the quick look at a word against the table.
func TestKeyword(t *testing.T) {
	for text, w := range words {
		assert.Equal(t, w, keyword(text), text)
	}
	for _, text := range []string{"x", "path", "News", "né", "é", "synchronizeD", strings.Repeat("s", 300)} {
		assert.Equal(t, wNone, keyword(text), text)
	}
}

// TestSeconds holds the second characters against the operators.
func TestSeconds(t *testing.T) {
	for _, op := range longer {
		assert.Contains(t, seconds, op.text[1:2])
	}
}
