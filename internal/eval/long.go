package eval

import (
	"fmt"

	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// LongContext is the data that the answers in long-context cases are padded
// with. It comes with the dataset, is read once and must not be changed: use
// pyval.DeepCopy to change a value.
type LongContext struct{ values *pyval.Dict }

// longKinds are the kinds of the values that a dataset must have, by upstream's
// names.
var longKinds = []struct {
	name string
	kind pyval.Kind
}{
	{"WATCH_LIST_EXTENSION", pyval.KindList},
	{"TRANSACTION_HISTORY_EXTENSION", pyval.KindList},
	{"MA_5_EXTENSION", pyval.KindList},
	{"MA_20_EXTENSION", pyval.KindList},
	{"TECHNOLOGY_EXTENSION", pyval.KindList},
	{"AUTOMOBILE_EXTENSION", pyval.KindList},
	{"ORDER_DETAIL_EXTENSION", pyval.KindDict},
	{"FILE_CONTENT_EXTENSION", pyval.KindStr},
	{"FILES_TAIL_USED", pyval.KindList},
	{"POPULATE_FILE_EXTENSION", pyval.KindList},
	{"CAR_STATUS_METADATA_EXTENSION", pyval.KindStr},
	{"LONG_WEATHER_EXTENSION", pyval.KindDict},
	{"PARKING_BRAKE_INSTRUCTION", pyval.KindStr},
	{"INTERMEDIARY_CITIES", pyval.KindList},
	{"CREDIT_CARD_EXTENSION", pyval.KindDict},
	{"BOOKING_RECORD_EXTENSION", pyval.KindDict},
}

// ParseLongContext reads a dataset's long_context.json.
func ParseLongContext(data []byte) (*LongContext, error) {
	v, err := pyval.ParseJSON(string(data))
	if err != nil {
		return nil, fmt.Errorf("long-context data: %w", err)
	}
	values, ok := v.(*pyval.Dict)
	if !ok {
		return nil, fmt.Errorf("long-context data: object expected, got %s", pyval.TypeName(v))
	}
	for _, want := range longKinds {
		v, ok := values.GetStr(want.name)
		if !ok || v.Kind() != want.kind {
			return nil, fmt.Errorf("long-context data: %s must be a %s", want.name, want.kind)
		}
		restoreEllipsis(v)
	}
	return &LongContext{values: values}, nil
}

// restoreEllipsis restores Python's Ellipsis, an element of one of upstream's
// lists, from how the file writes it.
func restoreEllipsis(v pyval.Value) {
	list, ok := v.(*pyval.List)
	if !ok {
		return
	}
	for i, item := range list.Items {
		if d, ok := item.(*pyval.Dict); ok && d.Len() == 1 {
			if tag, ok := d.GetStr("$py"); ok && pyval.Equal(tag, pyval.Str("Ellipsis")) {
				list.Items[i] = pyval.Ellipsis
			}
		}
	}
}

// List returns the list with the given name, one of upstream's constants.
func (l *LongContext) List(name string) *pyval.List {
	v, _ := l.values.GetStr(name)
	list, _ := v.(*pyval.List)
	return list
}

// Dict returns the dict with the given name.
func (l *LongContext) Dict(name string) *pyval.Dict { return l.values.Child(name) }

// Text returns the text with the given name.
func (l *LongContext) Text(name string) string {
	text, _ := l.values.Text(name)
	return text
}
