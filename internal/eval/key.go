package eval

import (
	"cmp"
	"strings"
)

// Key returns the name of what a case shares with others, by its id; the id
// itself if it shares nothing. Cases of one cluster tend to go right or wrong
// together:
//
//   - a memory's questions about one scenario, whatever the memory;
//   - live questions with the same function document, whose number is the
//     second of the three in the id;
//   - the variants of a multi-turn conversation;
//   - the same question with web search results with and without snippets;
//   - the same question in several prompt formats.
func Key(cat *Category, c *Case) string {
	if s := c.Scene; s != nil && s.Scenario != "" {
		return "scenario:" + s.Scenario
	}
	if cat.Rule == Varied {
		if at := strings.LastIndexByte(c.ID, ':'); at >= 0 {
			return "format:" + c.ID[at+1:]
		}
	}
	rest, ok := strings.CutPrefix(c.ID, cat.Name+"_")
	if !ok {
		return c.ID
	}
	if base := cmp.Or(cat.Base, cat.Source); base != "" {
		return base + ":" + rest
	}
	if numbers := strings.Split(rest, "-"); cat.SharedTools && len(numbers) == 3 {
		return cat.Name + ":" + numbers[1]
	}
	return c.ID
}

// Unit says what the clusters of a category are: cases that are drawn together.
func Unit(cat *Category) string {
	switch {
	case cat.Memory != "":
		return "scenario"
	case cat.MultiTurn() && !cat.Web:
		return "conversation"
	case cat.SharedTools:
		return "question family"
	case cat.Web, cat.Rule == Varied:
		return "question"
	}
	return "case"
}
