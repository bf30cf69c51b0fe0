package pyval

import "strings"

// Names holds strs that occur again and again, such as the keys of a dataset.
// It belongs to one parser and is not safe for concurrent use.
type Names [1024]Value

// Str returns the Str of a text, shared among equal ones met before.
func (n *Names) Str(s string) Value {
	const longest = 40
	if len(s) == 0 || len(s) > longest {
		return Str(s)
	}
	slot := &n[(uint(len(s))*149^uint(s[0])*7^uint(s[len(s)-1])*31^uint(s[len(s)/2])*13)%uint(len(n))]
	if known, ok := (*slot).(Str); ok && string(known) == s {
		return *slot
	}
	*slot = Str(strings.Clone(s)) // a part of the text would keep all of it alive
	return *slot
}
