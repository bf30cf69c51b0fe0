package heuristic

import "math"

// enough is the evidence below which no function is called.
const enough = 4.0

// pick chooses the tool whose document shares most words with the question,
// or nil where none shares enough. Words in every document do not tell the
// tools apart, but they are evidence that one of them is meant.
func pick(stems map[string]bool, tools []*tool) *tool {
	in := map[string]int{}
	for s := range stems {
		for _, t := range tools {
			if t.stems[s] > 0 {
				in[s]++
			}
		}
	}
	var best *tool
	top := math.Inf(-1)
	for _, t := range tools {
		evidence, score := t.match(stems, in, len(tools))
		if evidence >= enough && score > top {
			best, top = t, score
		}
	}
	return best
}

// match is the weight of the words a tool shares with the question: as
// evidence, and with rare words counted higher, as a score.
func (t *tool) match(stems map[string]bool, in map[string]int, tools int) (evidence, score float64) {
	total := 0.0
	for s, weight := range t.stems {
		total += weight
		if stems[s] {
			evidence += weight
			score += weight * (0.3 + math.Log(float64(tools+1)/float64(in[s])))
		}
	}
	return round(evidence), round(score / math.Sqrt(total+20))
}

// round makes sums independent of the order of a map's entries.
func round(f float64) float64 { return math.Round(f*1e6) / 1e6 }
