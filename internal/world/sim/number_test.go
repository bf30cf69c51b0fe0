package sim

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/gobfcl/bfcl/internal/python/pyval"
)

func TestRound(t *testing.T) {
	for _, c := range []struct {
		x      float64
		places int
		want   float64
	}{
		{2.675, 2, 2.67}, {2.5, 0, 2}, {-0.5, 0, math.Copysign(0, -1)}, {1e300, 400, 1e300}, {15, -1, 20}, {25, -1, 20},
		{1e22, -22, 1e22}, {1234.5, -5, 0}, {0.1, 30, 0.1}, {5e-324, 323, 0}, {1.5, -400, 0},
	} {
		got := Round(c.x, c.places)
		assert.Equal(t, c.want, got, "%v %d", c.x, c.places)
		assert.Equal(t, math.Signbit(c.want), math.Signbit(got), "%v %d", c.x, c.places)
	}
}

func TestSum(t *testing.T) {
	for _, row := range []struct {
		items []pyval.Value
		want  string
	}{
		{[]pyval.Value{pyval.Float(1e16), pyval.MakeInt(1), pyval.Float(1), pyval.Float(-1e16)}, "1.0"},
		{[]pyval.Value{pyval.Float(math.Inf(1)), pyval.Float(math.Inf(-1))}, "nan"},
		{[]pyval.Value{pyval.Float(1), pyval.Str("a")}, "TypeError"},
	} {
		v, err := pyval.Try(func() pyval.Value { return Sum(row.items) })
		if err != nil {
			assert.True(t, IsClass(err, row.want))
			continue
		}
		assert.Equal(t, row.want, pyval.Repr(v))
	}
}

func TestChanges(t *testing.T) {
	for _, c := range []struct{ before, after, want string }{
		{`{"a": 1}`, `{"a": 1.0}`, ""},
		{`{"a": 1, "b": 2}`, `{"b": 2, "a": 1}`, ""},
		{`{"a": 1}`, `{"a": 2}`, "a 1>2"},
		{`{"a": 1}`, `{"a": "1"}`, "a 1>'1'"},
		{`{"a": 1, "b": 2}`, `{"c": 3, "b": 2}`, "a 1>; c >3"},
		{`{"q": [{"id": 1}, {"id": 2}]}`, `{"q": [{"id": 1}, {"id": 2, "x": null}]}`, "q[1].x >None"},
		{`{"q": [1, 2, 3]}`, `{"q": [1, 9, 2, 3]}`, "q[1] >9"},
		{`{"q": [1, 2, 3]}`, `{"q": [1, 3]}`, "q[1] 2>"},
		{`{"q": [1, 2]}`, `{"q": [3, 4, 5]}`, "q[0] 1>3; q[1] 2>4; q[2] >5"},
		{`{"q": [1]}`, `{"q": {"0": 1}}`, "q [1]>{'0': 1}"},
		{`{"d": {"to do.txt": "x"}}`, `{"d": {"to do.txt": "y", "": 1, "a.txt": 2}}`, "d['to do.txt'] 'x'>'y'; d[''] >1; d.a.txt >2"},
	} {
		assert.Equal(t, c.want, shown(Changes(Table(c.before), Table(c.after))), "%s to %s", c.before, c.after)
	}
}

func shown(changes []Change) string {
	var out []string
	for _, c := range changes {
		text := c.Path + " "
		if c.Before != nil {
			text += pyval.Repr(c.Before)
		}
		text += ">"
		if c.After != nil {
			text += pyval.Repr(c.After)
		}
		out = append(out, text)
	}
	return strings.Join(out, "; ")
}

// TestChangesOfOddValues: keys of other types, what differs from itself, and
// values nested without end.
func TestChangesOfOddValues(t *testing.T) {
	keys := func(v pyval.Value) *pyval.Dict {
		inner := &pyval.Dict{}
		_ = inner.Set(pyval.MakeInt(7), v)
		_ = inner.Set(pyval.NewTuple(pyval.None), v)
		return Answer("d", inner)
	}
	assert.Equal(t, "d[7] 1>2; d[(None,)] 1>2", shown(Changes(keys(pyval.MakeInt(1)), keys(pyval.MakeInt(2)))))
	nan := Answer("x", Answer("y", pyval.Float(math.NaN())))
	assert.Equal(t, "x.y nan>nan", shown(Changes(nan, nan)))
	deep := func(last int64) *pyval.Dict {
		var v pyval.Value = pyval.MakeInt(last)
		for range 2000 {
			v = pyval.NewList(v)
		}
		return Answer("x", v)
	}
	changes := Changes(deep(1), deep(2))
	assert.Len(t, changes, 1)
	assert.Equal(t, deepest, strings.Count(changes[0].Path, "[0]"))
}

// TestChangesOfNothing: a state does not differ from a copy of itself, in any
// of many shapes.
func TestChangesOfNothing(t *testing.T) {
	for n := range 20 {
		state := Table(fmt.Sprintf(`{"a": [%s], "b": {"c": %d}}`, strings.TrimSuffix(strings.Repeat("1, ", n), ", "), n))
		assert.Empty(t, Changes(state, pyval.DeepCopy(state).(*pyval.Dict)))
	}
}

func TestIsError(t *testing.T) {
	for text, want := range map[string]bool{
		`{"error": "no such file"}`:                     true,
		`{"booking_status": false, "error": "no card"}`: true,
		`{"error":404}`:                                 true,
		"Error during execution: 'till'":                true,
		`{"content": "{\"error\": 1}"}`:                 false,
		`{"log": {"error": 1}}`:                         false,
		`{"last_lines": "Error during execution: x"}`:   false,
		`{"message": "error"}`:                          false,
		"None":                                          false,
		"":                                              false,
		`{"error`:                                       false,
	} {
		assert.Equal(t, want, IsError(text), text)
	}
}
