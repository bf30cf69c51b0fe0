package exec

import (
	"fmt"

	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// A Rule says how a result is compared with the expected one.
type Rule string

// Upstream's match rules. It treats every other name like StructuralMatch.
const (
	ExactMatch      Rule = "exact_match"
	RealTimeMatch   Rule = "real_time_match"
	StructuralMatch Rule = "structural_match"
)

// tolerance is the share by which a result may differ under RealTimeMatch,
// upstream's REAL_TIME_MATCH_ALLOWED_DIFFERENCE.
const tolerance = 0.2

// An Outcome is what upstream's executable checkers give.
type Outcome struct {
	Valid bool
	// ErrorType is upstream's; a valid outcome may have one too.
	ErrorType string
	// Error is upstream's list of errors.
	Error []pyval.Value
	// Output is the result of a refused call; nil if upstream's result has
	// none.
	Output pyval.Value
}

const unclear = "executable_checker:unclear"

func accepted() Outcome { return Outcome{Valid: true, ErrorType: unclear} }

func refused(errorType string, output pyval.Value, format string, args ...any) Outcome {
	text := pyval.Str(fmt.Sprintf(format, args...))
	return Outcome{ErrorType: errorType, Error: []pyval.Value{text}, Output: output}
}

// Match compares a call's result with the expected one, as upstream's
// executable_checker_simple does. In a sanity check a dict needs only as many
// keys as the expected one.
func (r Rule) Match(call string, got, want pyval.Value, sanity bool) Outcome {
	if t, ok := got.(*pyval.Tuple); ok {
		got = pyval.NewList(t.Items...)
	}
	m := matcher{call: pyval.Repr(pyval.Str(call)), got: got, want: want, sanity: sanity}
	switch r {
	case ExactMatch:
		return m.exact()
	case RealTimeMatch:
		return m.realTime()
	}
	return m.structural()
}

type matcher struct {
	call      string // its repr
	got, want pyval.Value
	sanity    bool
}

func (m *matcher) exact() Outcome {
	if pyval.Equal(m.got, m.want) {
		return accepted()
	}
	return refused("executable_checker:wrong_result", m.got, "Wrong execution result for %s. Expected: %s, but got: %s.",
		m.call, pyval.Text(m.want), pyval.Text(m.got))
}

func (m *matcher) realTime() Outcome {
	const errorType = "executable_checker:wrong_result_real_time"
	if !isReal(m.got) || !isReal(m.want) {
		return refused(errorType, m.got, "Wrong execution result for %s. Expected: %s, but got: %s. Type needs to be float or int for real time match criteria.",
			m.call, pyval.Text(m.want), pyval.Text(m.got))
	}
	if m.near() {
		return accepted()
	}
	return refused(errorType, m.got, "Wrong execution result for %s. Expected: %s, but got: %s. %s%% difference allowed.",
		m.call, pyval.Text(m.want), pyval.Text(m.got), pyval.Text(pyval.Float(tolerance*100)))
}

func isReal(v pyval.Value) bool { return v.Kind() == pyval.KindInt || v.Kind() == pyval.KindFloat }

// near is false for every result if the expected value is negative, and if it
// is too large for a float, for which upstream's checker raises.
func (m *matcher) near() bool {
	low, err := pyval.Operate("*", m.want, pyval.Float(1-tolerance))
	if err != nil {
		return false
	}
	high, _ := pyval.Operate("*", m.want, pyval.Float(1+tolerance)) // it fails only if the product above does
	above, _ := pyval.Order("<=", low, m.got)
	below, _ := pyval.Order("<=", m.got, high)
	return above && below
}

func (m *matcher) structural() Outcome {
	const errorType = "executable_checker:wrong_result_type"
	if !pyval.SameType(m.got, m.want) {
		return refused(errorType, m.got, "Wrong execution result type for %s. Expected type: <class '%s'>, but got: <class '%s'>.",
			m.call, pyval.TypeName(m.want), pyval.TypeName(m.got))
	}
	switch got := m.got.(type) {
	case *pyval.Dict:
		return m.keys(got, m.want.(*pyval.Dict), errorType)
	case *pyval.List:
		if want := m.want.(*pyval.List); len(got.Items) != len(want.Items) {
			return refused(errorType+":list_length", m.got, "Wrong execution result pattern for %s. Expect type list, but wrong number of elements in the output. Expected length: %d, but got: %d.",
				m.call, len(want.Items), len(got.Items))
		}
	}
	return accepted()
}

func (m *matcher) keys(got, want *pyval.Dict, errorType string) Outcome {
	if m.sanity {
		if got.Len() == want.Len() {
			return accepted()
		}
		return refused(errorType+":dict_length", m.got, "Wrong execution result pattern for %s. Expect type Dict, but wrong number of elements in the output. Expected length: %d, but got: %d.",
			m.call, want.Len(), got.Len())
	}
	for key := range want.All() {
		if _, ok := got.Get(key); !ok {
			return refused(errorType+":dict_key_not_found", m.got, "Wrong execution result pattern for %s. Expect type Dict, but key %s not found in the model output.",
				m.call, pyval.Repr(key))
		}
	}
	for key := range got.All() {
		if _, ok := want.Get(key); !ok {
			return refused(errorType+":dict_extra_key", m.got, "Wrong execution result pattern for %s. Expect type Dict, but key %s not expected in the model output.",
				m.call, pyval.Repr(key))
		}
	}
	return accepted()
}
