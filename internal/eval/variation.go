package eval

import "github.com/gobfcl/bfcl/internal/python/pyval"

// A Variation puts an original case differently, with the same right answer.
// Package variant makes variations.
type Variation struct {
	// Variant is the variation's name, such as "order" or "distractors8".
	Variant string
	// Original is the case as the dataset has it. Answers are judged as answers
	// to the original.
	Original *Case
	// Pose returns the case as the model sees it; its possible answer is what a
	// right answer looks like there.
	Pose func() *Case
	// Back maps decoded calls, a list of {name: arguments}, to calls to the
	// original's functions; nil if calls stay as they are. Arguments are a
	// dict, or the JSON text of one.
	Back func(calls pyval.Value) pyval.Value
}

// Posed returns the case as the model sees it: for most cases the case itself.
func (c *Case) Posed() *Case {
	if c.Variation == nil {
		return c
	}
	return c.Variation.Pose()
}

// Plain returns the case as the dataset has it: for most cases the case itself.
func (c *Case) Plain() *Case {
	if c.Variation == nil {
		return c
	}
	return c.Variation.Original
}

// Unvaried returns the category as the dataset has it: for most categories the
// category itself.
func (cat *Category) Unvaried() *Category {
	if cat.Plain == nil {
		return cat
	}
	return cat.Plain
}
