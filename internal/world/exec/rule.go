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

// wrong is the refusal of the call's result: "Wrong execution result" and how.
func (m *matcher) wrong(errorType, format string, args ...any) Outcome {
	return refused("executable_checker:"+errorType, m.got, "Wrong execution result"+format, args...)
}

func (m *matcher) exact() Outcome {
	if pyval.Equal(m.got, m.want) {
		return accepted()
	}
	return m.wrong("wrong_result", " for %s. Expected: %s, but got: %s.", m.call, pyval.Text(m.want), pyval.Text(m.got))
}

// realTime accepts nothing if the expected value is negative, or too large for a
// float, for which upstream's checker raises.
func (m *matcher) realTime() Outcome {
	const errorType, differs = "wrong_result_real_time", " for %s. Expected: %s, but got: %s. "
	if !isReal(m.got) || !isReal(m.want) {
		return m.wrong(errorType, differs+"Type needs to be float or int for real time match criteria.",
			m.call, pyval.Text(m.want), pyval.Text(m.got))
	}
	if low, err := pyval.Operate("*", m.want, pyval.Float(1-tolerance)); err == nil {
		high, _ := pyval.Operate("*", m.want, pyval.Float(1+tolerance)) // it fails only if the product above does
		above, _ := pyval.Order("<=", low, m.got)
		below, _ := pyval.Order("<=", m.got, high)
		if above && below {
			return accepted()
		}
	}
	return m.wrong(errorType, differs+"%s%% difference allowed.",
		m.call, pyval.Text(m.want), pyval.Text(m.got), pyval.Text(pyval.Float(tolerance*100)))
}

func isReal(v pyval.Value) bool { return v.Kind() == pyval.KindInt || v.Kind() == pyval.KindFloat }

func (m *matcher) structural() Outcome {
	const errorType = "wrong_result_type"
	const length = " pattern for %s. Expect type %s, but wrong number of elements in the output. Expected length: %d, but got: %d."
	const key = " pattern for %s. Expect type Dict, but key %s not %s in the model output."
	if !pyval.SameType(m.got, m.want) {
		return m.wrong(errorType, " type for %s. Expected type: <class '%s'>, but got: <class '%s'>.",
			m.call, pyval.TypeName(m.want), pyval.TypeName(m.got))
	}
	switch got := m.got.(type) {
	case *pyval.List:
		if want := m.want.(*pyval.List); len(got.Items) != len(want.Items) {
			return m.wrong(errorType+":list_length", length, m.call, "list", len(want.Items), len(got.Items))
		}
	case *pyval.Dict:
		want := m.want.(*pyval.Dict)
		if m.sanity {
			if got.Len() != want.Len() {
				return m.wrong(errorType+":dict_length", length, m.call, "Dict", want.Len(), got.Len())
			}
			return accepted()
		}
		if k := lacking(got, want); k != nil {
			return m.wrong(errorType+":dict_key_not_found", key, m.call, pyval.Repr(k), "found")
		}
		if k := lacking(want, got); k != nil {
			return m.wrong(errorType+":dict_extra_key", key, m.call, pyval.Repr(k), "expected")
		}
	}
	return accepted()
}

// lacking is the first key of a dict that another lacks; nil if there is none.
func lacking(d, of *pyval.Dict) pyval.Value {
	for key := range of.All() {
		if _, ok := d.Get(key); !ok {
			return key
		}
	}
	return nil
}
