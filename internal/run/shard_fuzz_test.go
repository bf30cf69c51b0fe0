package run_test

import (
	"testing"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/run/suite"
)

// FuzzShardParse checks that each case is in exactly one shard, and that a
// shard's text is parsed back to the same shard.
func FuzzShardParse(f *testing.F) {
	f.Add("3/8", "simple_python_0")
	f.Add("0/1", "memory_kv_3-allotment-3")
	f.Add("7/100", "live_simple_1-2-3")
	f.Fuzz(func(t *testing.T, text, id string) {
		s, err := suite.ParseShard(text)
		if err != nil {
			return
		}
		again, err := suite.ParseShard(s.String())
		if err != nil || again != s && !(again.Whole() && s.Whole()) {
			t.Fatalf("%q reads as %v, and that as %v: %v", text, s, again, err)
		}
		if s.Count > 300 {
			return
		}
		c, in := &eval.Case{ID: id}, 0
		for i := range max(s.Count, 1) {
			s.Index = i
			if s.Has(c) {
				in++
			}
		}
		if in != 1 {
			t.Fatalf("%q is in %d of %d shards", id, in, s.Count)
		}
	})
}
