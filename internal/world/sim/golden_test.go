package sim

import (
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/python/pycall"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/test/testkit"
)

func TestGoldenRewrite(t *testing.T) {
	rows := 0
	var table *pyval.Dict
	testkit.Rows(t, testkit.GoldenFile(t, "simulators", "rewrite.jsonl"), func(line int, row *pyval.Dict) {
		if line == 1 {
			table = testkit.Field(row, "mapping").(*pyval.Dict)
			return
		}
		rows++
		got := rewrite(testkit.Text(row, "in"), func(method string) (string, bool) {
			v, ok := table.GetStr(method)
			if !ok {
				return "", false
			}
			return pyval.Text(v), true
		})
		assert.Equal(t, testkit.Text(row, "out"), got, "%q", testkit.Text(row, "in"))
	})
	t.Logf("%d rows compared", rows)
}

func TestGoldenSerialize(t *testing.T) {
	rows := 0
	testkit.Rows(t, testkit.GoldenFile(t, "simulators", "serialize.jsonl"), func(_ int, row *pyval.Dict) {
		rows++
		src := testkit.Text(row, "py")
		v, err := pycall.Run(src, func(name string) (pycall.Function, error) { return builtins[name], nil })
		require.NoError(t, err, "%q", src)
		assert.Equal(t, testkit.Text(row, "result"), ResultText(v), "%q", src)
		if _, shown := v.(Shown); !shown {
			assert.Equal(t, testkit.Text(row, "repr"), pyval.Repr(v), "%q", src)
		}
	})
	t.Logf("%d rows compared", rows)
}

func TestGoldenRandom(t *testing.T) {
	rows, draws := 0, 0
	testkit.Rows(t, testkit.GoldenFile(t, "simulators", "random_vectors.jsonl"), func(_ int, row *pyval.Dict) {
		rows++
		seed := seedOf(t, testkit.Field(row, "seed"))
		for name, draw := range drawers {
			want, ok := testkit.Field(row, name).(*pyval.List)
			require.True(t, ok, name)
			scenario := &pyval.Dict{}
			scenario.SetStr("random_seed", seed)
			r := SeedOf(scenario, 0)
			for i, item := range want.Items {
				draws++
				assert.Equal(t, pyval.Text(item), draw(r), "seed %s, %s %d", pyval.Repr(seed), name, i)
			}
		}
		assert.Equal(t, len(drawers)+2, row.Len(), "a kind of draw is not compared")
	})
	t.Logf("%d seeds, %d draws compared", rows, draws)
}

// seedOf reads a seed, which may be an int beyond plain JSON.
func seedOf(t *testing.T, v pyval.Value) pyval.Int {
	t.Helper()
	if d, ok := v.(*pyval.Dict); ok {
		n, ok := pyval.ParseInt(testkit.Text(d, "$int"), 10)
		require.True(t, ok)
		return n
	}
	return v.(pyval.Int)
}

var drawers = map[string]func(*Random) string{
	"words32":                           func(r *Random) string { return strconv.FormatUint(uint64(r.Uint32()), 10) },
	"random":                            func(r *Random) string { return floatText(r.Float()) },
	"uniform_-10_40":                    uniformly(-10, 40),
	"uniform_0_120":                     uniformly(0, 120),
	"randint_10000_99999":               between(10000, 99999),
	"randint_100000_999999":             between(100000, 999999),
	"randint_1000000_9999999":           between(1000000, 9999999),
	"randint_10000000_99999999":         between(10000000, 99999999),
	"randint_100000000_999999999":       between(100000000, 999999999),
	"randint_100000000000_999999999999": between(100000000000, 999999999999),
	"randint_0_86400":                   between(0, 86400),
}

func floatText(f float64) string { return pyval.Repr(pyval.Float(f)) }

func uniformly(a, b float64) func(*Random) string {
	return func(r *Random) string { return floatText(r.Uniform(a, b)) }
}

func between(a, b int64) func(*Random) string {
	return func(r *Random) string { return string(r.ID(a, b)) }
}
