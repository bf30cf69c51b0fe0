package suite

import (
	"fmt"
	"hash/fnv"
	"strconv"
	"strings"

	"github.com/gobfcl/bfcl/internal/eval"
)

// MaxShards is the largest number of shards.
const MaxShards = 100_000

// A Shard is part Index, counted from 0, of a run in Count parts. The zero
// Shard is the whole run.
type Shard struct{ Index, Count int }

// Whole reports whether the shard is the whole run.
func (s Shard) Whole() bool { return s.Count <= 1 }

// String returns "index/count", as Parse reads it; "" for a whole run.
func (s Shard) String() string {
	if s.Whole() {
		return ""
	}
	return strconv.Itoa(s.Index) + "/" + strconv.Itoa(s.Count)
}

// ParseShard reads "index/count", counted from 0; "" is the whole run.
func ParseShard(text string) (Shard, error) {
	if text == "" {
		return Shard{}, nil
	}
	index, count, ok := strings.Cut(text, "/")
	if !ok {
		return Shard{}, fmt.Errorf("a shard must be index/count, such as 0/8 for the first of eight, not %q", text)
	}
	return parse(index, count, 0)
}

// parse reads an index that is counted from first.
func parse(index, count string, first int) (Shard, error) {
	i, wrongIndex := strconv.Atoi(strings.TrimSpace(index))
	n, wrongCount := strconv.Atoi(strings.TrimSpace(count))
	switch {
	case wrongIndex != nil || wrongCount != nil:
		return Shard{}, fmt.Errorf("a shard must be index/count, two whole numbers, not %q", index+"/"+count)
	case n < 1 || n > MaxShards:
		return Shard{}, fmt.Errorf("the number of shards must be 1 to %d, not %d", MaxShards, n)
	case i < first || i >= n+first:
		return Shard{}, fmt.Errorf("with %d shards the index must be %d to %d, not %d", n, first, n+first-1, i)
	case n == 1:
		return Shard{}, nil
	}
	return Shard{Index: i - first, Count: n}, nil
}

// Has reports whether a case is in the shard.
func (s Shard) Has(c *eval.Case) bool {
	if s.Whole() {
		return true
	}
	hash := fnv.New64a()
	_, _ = hash.Write([]byte(ShardKey(c)))
	return int(mix(hash.Sum64())%uint64(s.Count)) == s.Index
}

// mix spreads the lowest bits, in which FNV-1a is uneven for keys that differ
// only in their last characters. It is the finalizer of MurmurHash3.
func mix(h uint64) uint64 {
	h = (h ^ h>>33) * 0xff51afd7ed558ccd
	h = (h ^ h>>33) * 0xc4ceb9fe1a85ec53
	return h ^ h>>33
}

// ShardKey returns what is the same for cases that must stay together: the questions
// of a memory scenario, which need the same conversations before them. Every
// other case has a key of its own.
func ShardKey(c *eval.Case) string {
	if c.Scene != nil && c.Scene.Scenario != "" {
		return c.Category + "/" + c.Scene.Scenario
	}
	return c.Category + "/" + c.ID
}

// Share returns this shard's part of a budget for the whole run, at least 1 if
// there is a budget.
func (s Shard) Share(budget int) int {
	if s.Whole() || budget <= 0 {
		return budget
	}
	return max(1, budget/s.Count)
}
