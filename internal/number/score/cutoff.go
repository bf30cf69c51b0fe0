package score

import "fmt"

// A CutOff counts the answers that were cut off by the limit of tokens. They
// are judged as far as they go, as upstream does.
type CutOff struct {
	// Answers were cut off, of Of answers.
	Answers int `json:"answers"`
	Of      int `json:"of"`
	// Limit is the limit set by -max-tokens or the catalogue; 0 if the model's
	// own limit applied.
	Limit int `json:"limit,omitempty"`
	// Context is the server's context in tokens, if that is where they end: each
	// prompt and its answer add up to it. Otherwise 0.
	Context int `json:"context,omitempty"`
}

// often reports whether so many answers were cut off, more than one in a
// hundred, that the score says more about the limit than about the model.
func (c *CutOff) often() bool { return c != nil && 100*c.Answers > c.Of }

// warning returns the warning about it.
func (c *CutOff) warning() string {
	limit := "the model's own limit of tokens (no -max-tokens was given)"
	switch {
	case c.Context > 0:
		return fmt.Sprintf("%d of %d answers end where the prompt and the answer together fill the server's context of %d tokens, and are judged as far as they go: serve the model with a longer context.", c.Answers, c.Of, c.Context)
	case c.Limit > 0:
		limit = fmt.Sprintf("the limit of %d tokens (-max-tokens)", c.Limit)
	}
	return fmt.Sprintf("%d of %d answers were cut off at %s, and are judged as far as they go, as upstream does: with a higher limit the model may score differently.", c.Answers, c.Of, limit)
}
