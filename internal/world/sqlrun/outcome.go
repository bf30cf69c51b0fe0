package sqlrun

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// An outcome is what a statement leads to.
type outcome struct {
	selected bool
	rows     []string // canonical rows of a result, in its order
	tables   []table  // by name
}

// A table is a table's content after a statement.
type table struct {
	name    string   // small letters
	columns []string // small letters, in order
	rows    []string // canonical, sorted
}

// canonical is the text of a value; it is the same for values that SQL
// considers equal, such as 5 and 5.0.
func canonical(v any) string {
	switch v := v.(type) {
	case nil:
		return "NULL"
	case bool:
		if v {
			return "1"
		}
		return "0"
	case int64:
		return strconv.FormatInt(v, 10)
	case float64:
		const exact = 1 << 53
		if v == math.Trunc(v) && math.Abs(v) < exact {
			return strconv.FormatInt(int64(v), 10)
		}
		return strconv.FormatFloat(v, 'g', -1, 64)
	case string:
		return pyval.Repr(pyval.Str(v))
	case []byte:
		return fmt.Sprintf("x'%x'", v)
	}
	return fmt.Sprint(v)
}

func canonicalRow(values []any) string {
	texts := make([]string, len(values))
	for i, v := range values {
		texts[i] = canonical(v)
	}
	return "(" + strings.Join(texts, ", ") + ")"
}

// differ says how an outcome differs from the expected one, and by which error
// type; "" if it does not. The order of rows counts if ordered is set.
func differ(want, got outcome, ordered bool) (errorType, message string) {
	switch {
	case want.selected && !got.selected:
		return wrongResult, "a result was expected, but there is none"
	case !want.selected && got.selected:
		return wrongState, "a change of the tables was expected, not a question"
	case want.selected:
		wanted, given := want.rows, got.rows
		if !ordered {
			wanted, given = sorted(wanted), sorted(given)
		}
		if !slices.Equal(wanted, given) {
			return wrongResult, fmt.Sprintf("expected %s, but got %s", list(wanted), list(given))
		}
	}
	if message := differTables(want.tables, got.tables); message != "" {
		return wrongState, message
	}
	return "", ""
}

func sorted(rows []string) []string {
	out := slices.Clone(rows)
	slices.Sort(out)
	return out
}

func differTables(want, got []table) string {
	byName := map[string]table{}
	for _, t := range got {
		byName[t.name] = t
	}
	for _, w := range want {
		g, ok := byName[w.name]
		delete(byName, w.name)
		switch {
		case !ok:
			return fmt.Sprintf("table %q is missing", w.name)
		case !slices.Equal(w.columns, g.columns):
			return fmt.Sprintf("table %q should have the columns %s, and has %s", w.name, list(w.columns), list(g.columns))
		case !slices.Equal(w.rows, g.rows):
			return fmt.Sprintf("table %q %s", w.name, amiss(apart(w.rows, g.rows)))
		}
	}
	for _, g := range got {
		if _, left := byName[g.name]; left {
			return fmt.Sprintf("table %q should not be there", g.name)
		}
	}
	return ""
}

// apart are the rows of one sorted list that the other lacks, and the reverse.
func apart(want, got []string) (missing, surplus []string) {
	for len(want) > 0 && len(got) > 0 {
		switch {
		case want[0] == got[0]:
			want, got = want[1:], got[1:]
		case want[0] < got[0]:
			missing, want = append(missing, want[0]), want[1:]
		default:
			surplus, got = append(surplus, got[0]), got[1:]
		}
	}
	return append(missing, want...), append(surplus, got...)
}

// amiss says which rows a table lacks and which it should not have.
func amiss(missing, surplus []string) string {
	switch {
	case len(surplus) == 0:
		return "lacks " + list(missing)
	case len(missing) == 0:
		return "should not have " + list(surplus)
	}
	return "lacks " + list(missing) + " and should not have " + list(surplus)
}

// list shows the first few.
func list(rows []string) string {
	const most = 5
	if len(rows) == 0 {
		return "nothing"
	}
	shown := strings.Join(rows[:min(most, len(rows))], ", ")
	if len(rows) > most {
		shown += fmt.Sprintf(" and %d more", len(rows)-most)
	}
	return clip(shown)
}

func clip(s string) string {
	const most = 500
	if len(s) > most {
		return s[:most] + "..."
	}
	return s
}
