package why_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/why"
)

func answered(t *testing.T, text string) why.Answer {
	v, err := pyval.ParseJSON(text)
	require.NoError(t, err, text)
	return why.Read(v)
}

// TestExplain: what is done to all answers is one step, with what its instances
// have in common, and what is done to some is said of those.
func TestExplain(t *testing.T) {
	words := []string{"alpha_bravo", "charlie_delta", "echo_foxtrot", "golf_hotel", "india_juliett", "kilo_lima"}
	for want, c := range map[string]struct {
		right, came func(i int) string
	}{
		"functions' names lose characters `_`": {
			func(i int) string { return fmt.Sprintf(`[{"get_%s": {"x": %d}}]`, words[i], i) },
			func(i int) string {
				return fmt.Sprintf(`[{"get%s": {"x": %d}}]`, strings.ReplaceAll(words[i], "_", ""), i)
			},
		},
		"functions' names are cut after 8 characters": {
			func(i int) string { return fmt.Sprintf(`[{"%s": {"x": %d}}]`, words[i], i) },
			func(i int) string { return fmt.Sprintf(`[{"%s": {"x": %d}}]`, words[i][:8], i) },
		},
		"parameters' names are replaced by others": { // their positions
			func(i int) string { return fmt.Sprintf(`[{"f": {"%s": %d}}]`, words[i], i) },
			func(i int) string { return fmt.Sprintf(`[{"f": {"%d": %d}}]`, i%2, i) },
		},
		"parameters' names are written in another way": {
			func(i int) string { return fmt.Sprintf(`[{"f": {"%s": %d}}]`, words[i], i) },
			func(i int) string {
				a, b, _ := strings.Cut(words[i], "_")
				return fmt.Sprintf(`[{"f": {"%s%s": %d}}]`, a, strings.ToUpper(b[:1])+b[1:], i)
			},
		},
		"texts have characters replaced ` ` by `%20`": {
			func(i int) string { return fmt.Sprintf(`[{"f": {"x": "to %s (%d)"}}]`, words[i], i) },
			func(i int) string { return fmt.Sprintf(`[{"f": {"x": "to%%20%s%%20(%d)"}}]`, words[i], i) },
		},
		"arguments arrive within an object under `args`": {
			func(i int) string { return fmt.Sprintf(`[{"f": {"x": %d}}]`, i) },
			func(i int) string { return fmt.Sprintf(`[{"f": {"args": {"x": %d}}}]`, i) },
		},
		"functions' names end in digits of a hash after 5 characters": {
			func(i int) string { return fmt.Sprintf(`[{"name_%s": {"x": %d}}]`, words[i], i) },
			func(i int) string { return fmt.Sprintf(`[{"name_0a1b2c%d": {"x": %d}}]`, i, i) },
		},
		"parameters' names begin with a capital": {
			func(i int) string { return fmt.Sprintf(`[{"f": {"%s": %d}}]`, words[i], i) },
			func(i int) string {
				return fmt.Sprintf(`[{"f": {"%s": %d}}]`, strings.ToUpper(words[i][:1])+words[i][1:], i)
			},
		},
		"values that are numbers lose their fraction": {
			func(i int) string { return fmt.Sprintf(`[{"f": {"x": %d.25}}]`, i) },
			func(i int) string { return fmt.Sprintf(`[{"f": {"x": %d}}]`, i) },
		},
		"several calls have the arguments of one": {
			func(i int) string { return fmt.Sprintf(`[{"f": {"x": %d}}, {"f": {"x": "%s"}}]`, i, words[i]) },
			func(i int) string { return fmt.Sprintf(`[{"f": {"x": %d}}, {"f": {"x": %d}}]`, i, i) },
		},
		"arguments lose the end of their JSON after 12 characters": {
			func(i int) string { return fmt.Sprintf(`[{"f": {"x": "%s"}}]`, words[i]) },
			func(i int) string { return fmt.Sprintf(`[{"f": "{\"x\": \"%s"}]`, words[i][:5]) },
		},
		"arguments hold several objects, one behind the other": {
			func(i int) string { return fmt.Sprintf(`[{"f": {"x": %d}}]`, i) },
			func(i int) string { return fmt.Sprintf(`[{"f": "{}{\"x\": %d}"}]`, i) },
		},
	} {
		var list []why.Arrival
		for i := range words {
			right, came := answered(t, c.right(i)), answered(t, c.came(i))
			list = append(list, why.Arrival{ID: words[i], Want: right, Found: why.Differ(right, came, nil), Wrong: true, Calls: true})
		}
		steps, of := why.Explain(list, why.Rule{Least: 3, Many: 6, Share: .9})
		if assert.Len(t, steps, 1, want) {
			assert.Equal(t, want, steps[0].Kind)
			assert.Equal(t, len(words), steps[0].Cases)
			assert.Zero(t, steps[0].Against)
			assert.Len(t, of, len(words))
		}
		for i := range list { // the other way round it comes as often: by chance
			list[i].Chance = list[i].Found
		}
		steps, _ = why.Explain(list, why.Rule{Least: 3, Many: 6, Share: .9})
		assert.Empty(t, steps, want)
		for i := range list {
			if list[i].Chance = nil; i%2 == 0 { // half of the answers contradict
				list[i].Found, list[i].Wrong = nil, false
			}
		}
		steps, _ = why.Explain(list, why.Rule{Least: 1})
		assert.Empty(t, steps, want)
	}
}

// TestTraits: what is done to some places is said of those, and the answers that
// have none of them contradict nothing.
func TestTraits(t *testing.T) {
	var list []why.Arrival
	for i := range 12 {
		right := fmt.Sprintf(`[{"f": {"x": %d, "y": %t}}]`, i, i%2 == 0)
		came := strings.NewReplacer("true", "null", "false", "null").Replace(right)
		if i%3 > 0 {
			right = fmt.Sprintf(`[{"f": {"x": %d}}]`, i)
			came = right
		}
		a, b := answered(t, right), answered(t, came)
		list = append(list, why.Arrival{Want: a, Found: why.Differ(a, b, nil), Wrong: right != came, Calls: true})
	}
	steps, _ := why.Explain(list, why.Rule{Least: 3})
	require.Len(t, steps, 1)
	assert.Equal(t, "values arrive as null, where the value is a boolean", steps[0].Kind)
	assert.Equal(t, []int{4, 0}, []int{steps[0].Cases, steps[0].Against})
}

// TestTraitsOfAnswers: what is done to whole answers is said of those that have
// such a place, not of the place.
func TestTraitsOfAnswers(t *testing.T) {
	for right, want := range map[string]string{
		`[{"f": {"x": %d}}, {"f": {"x": 1%[1]d}}]`: "where several calls are wanted",
		`[{"f": {"x": [%d]}}]`:                     "where lists are wanted",
		`[{"f": {"x": "%d, b"}}]`:                  "where a value is a text",
		`[{"f": {"a_b": %d}}]`:                     "where a name has `_`",
	} {
		var list []why.Arrival
		for i := range 24 {
			a := answered(t, fmt.Sprintf(right, i+1))
			b := why.Answer{Text: "I cannot do that."}
			if i%2 > 0 {
				a = answered(t, fmt.Sprintf(`[{"f": {"x": %d}}]`, i+1))
				b = a
			}
			list = append(list, why.Arrival{Want: a, Found: why.Differ(a, b, nil), Wrong: i%2 == 0, Calls: true})
		}
		steps, _ := why.Explain(list, why.Rule{Least: 3, Many: 10, Share: .9})
		if assert.Len(t, steps, 1, want) {
			assert.Equal(t, "a text arrives in place of calls, "+want, steps[0].Kind)
		}
	}
}
