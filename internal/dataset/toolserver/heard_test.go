package toolserver

import (
	"io"
	"strings"
	"testing"
)

// FuzzHeard: whatever a server says, what is heard of it is no more than it may say.
func FuzzHeard(f *testing.F) {
	f.Add("data: {\"result\": {\"tools\": [{\"name\": \"a\"}]}}\n\n", int64(1000))
	f.Add("{\"result\": {\"tools\": {}}}\n{\"result\": 1}\n{oops", int64(10))
	f.Fuzz(func(t *testing.T, said string, limit int64) {
		if limit < 0 {
			return // nobody is allowed less than nothing
		}
		h := newHeard(limit)
		n, err := io.Copy(io.Discard, h.reader(strings.NewReader(said)))
		if n > limit || (err != nil) != (int64(len(said)) > limit && said != "") {
			t.Fatal(n, err)
		}
		_ = h.tools()
	})
}
