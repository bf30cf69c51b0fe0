package memory

import (
	"math"
	"sort"
	"strings"

	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/world/sim"
)

// The constants of rank_bm25's BM25Plus, which upstream searches keys with.
const (
	bmK1    = 1.5
	bmB     = 0.75
	bmDelta = 1.0
)

// An index holds keys by their words, for BM25+ (Lv and Zhai, 2011).
type index struct {
	keys   []pyval.Value
	counts []map[string]int // by key, then word
	words  []int            // by key, how many it has
	idf    map[string]float64
	mean   float64 // words a key
}

// newIndex raises as rank_bm25 does if there is nothing to index.
func newIndex(keys []pyval.Value) *index {
	if len(keys) == 0 {
		panic(sim.Raise("ZeroDivisionError", "division by zero"))
	}
	x := &index{keys: keys, idf: map[string]float64{}}
	total := 0
	having := map[string]int{} // keys that have a word
	for _, key := range keys {
		count := map[string]int{}
		words := tokens(pyval.Text(key))
		for _, word := range words {
			if count[word]++; count[word] == 1 {
				having[word]++
			}
		}
		x.counts, x.words = append(x.counts, count), append(x.words, len(words))
		total += len(words)
	}
	x.mean = float64(total) / float64(len(keys))
	for word, n := range having {
		x.idf[word] = idf(len(keys), n)
	}
	return x
}

// idf is ln((keys+1)/having) as C's library computes it.
func idf(keys, having int) float64 {
	v := pyval.Log(float64(keys+1) / float64(having))
	if up, odd := oddLogs[[2]int{keys, having}]; odd {
		return math.Nextafter(v, up)
	}
	return v
}

// oddLogs are the logarithms that glibc does not round to the nearest float,
// among those that up to 50 keys can need, with the direction of its error:
// each is very close to the middle between two floats.
var oddLogs = map[[2]int]float64{{40, 35}: math.Inf(-1)}

// tokens are a text's words: underscores are blanks.
func tokens(text string) []string {
	return strings.FieldsFunc(pyval.Lower(strings.ReplaceAll(text, "_", " ")), pyval.IsSpace)
}

// A hit is a key with its score.
type hit struct {
	score float64
	key   pyval.Value
}

// rank returns all keys, the best first; equal ones keep their order.
func (x *index) rank(query string) []hit {
	words := tokens(query)
	hits := make([]hit, len(x.keys))
	for i, key := range x.keys {
		hits[i] = hit{x.score(i, words), key}
	}
	sort.SliceStable(hits, func(i, j int) bool { return hits[i].score > hits[j].score })
	return hits
}

// score adds up a key's part of each of the query's words, in numpy's order
// of operations. The conversions keep a compiler from fusing them.
func (x *index) score(key int, query []string) float64 {
	length := float64(bmB*float64(x.words[key])) / x.mean
	norm := float64(bmK1 * (1 - bmB + length))
	score := 0.0
	for _, word := range query {
		f := float64(x.counts[key][word])
		part := float64(f*(bmK1+1)) / (norm + f)
		score += float64(x.idf[word] * (bmDelta + part))
	}
	return score
}
