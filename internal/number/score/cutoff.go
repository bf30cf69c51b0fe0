package score

import "fmt"

// A CutOff counts the answers that the limit of tokens ended before their end.
// They are judged as far as they go, as upstream does.
type CutOff struct {
	// Answers of so many were cut off.
	Answers int `json:"answers"`
	Of      int `json:"of"`
	// Limit is what -max-tokens said, or the catalogue; 0 if the model's
	// own was in force.
	Limit int `json:"limit,omitempty"`
}

// often reports whether so many answers were cut off, more than one in a
// hundred, that the score says more of the limit than of the model.
func (c *CutOff) often() bool { return c != nil && 100*c.Answers > c.Of }

// warning says so.
func (c *CutOff) warning() string {
	limit := "the model's own limit of tokens (no -max-tokens was given)"
	if c.Limit > 0 {
		limit = fmt.Sprintf("the limit of %d tokens (-max-tokens)", c.Limit)
	}
	return fmt.Sprintf("%d of %d answers were cut off at %s, and are judged as far as they go, as upstream does: with a higher limit the model may score differently.", c.Answers, c.Of, limit)
}
