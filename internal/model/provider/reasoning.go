package provider

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/gobfcl/bfcl/internal/model/transport"
	"github.com/gobfcl/bfcl/internal/pattern"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// A policy says how much of its reasoning a model gets back with its messages.
type policy int

const (
	// drop sends nothing back.
	drop policy = iota
	// repeat sends back what came, in the fields it came in.
	repeat
	// fill does the same, and sends an empty reasoning if none came: some
	// servers want the field in every message with calls.
	fill
)

// reasoningFields are the fields of a message of Chat Completions that hold
// reasoning: that of most servers, that of OpenRouter and newer vLLM, and
// OpenRouter's blocks.
var reasoningFields = []string{"reasoning_content", "reasoning", "reasoning_details"}

// forgetful matches the families of models whose reasoning is not sent back:
// Mistral refuses it, and upstream's handlers of the others remove it.
var forgetful = pattern.Of(`(^|[/_-])(mistral|ministral|magistral|mixtral|codestral|devstral|pixtral|voxtral|grok|ling)([-_.0-9]|$)`)

// A Reasoning decides how much of its reasoning a model of Chat Completions
// gets back. It begins with what the configuration says, or else with what is
// usual for the model's family, and learns once from a server's refusal. It is
// safe for concurrent use.
type Reasoning struct {
	fixed bool

	mu     sync.Mutex
	policy policy
	note   string
}

// NewReasoning returns the Reasoning of a configuration and a server's host.
func NewReasoning(c *Config, host string) *Reasoning {
	r := &Reasoning{policy: repeat, fixed: c.RepeatReasoning != nil}
	switch {
	case r.fixed && !*c.RepeatReasoning:
		r.policy = drop
	case !r.fixed && (host == "api.mistral.ai" || forgetful().MatchString(strings.ToLower(c.Model))):
		r.policy = drop
	}
	return r
}

// Learned returns what was learned, "" if nothing was.
func (r *Reasoning) Learned() string {
	if r == nil {
		return ""
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.note
}

// Apply replaces the model's messages in the list by ones with as much
// reasoning as the model gets back. It does not change the messages themselves.
func (r *Reasoning) Apply(messages *pyval.List) {
	r.mu.Lock()
	how := r.policy
	r.mu.Unlock()
	for i, item := range messages.Items {
		if m, ok := item.(*pyval.Dict); ok && Text(m, "role") == "assistant" {
			messages.Items[i] = how.message(m)
		}
	}
}

func (p policy) message(m *pyval.Dict) *pyval.Dict {
	thought := hasReasoning(m)
	switch {
	case p == drop && thought:
		m = m.Clone()
		for _, key := range reasoningFields {
			m.Delete(pyval.Str(key))
		}
		if list, ok := Get(m, "content").(*pyval.List); ok {
			m.SetStr("content", pyval.Str("")) // if there is nothing else
			if left := slices.DeleteFunc(slices.Clone(list.Items), isThought); len(left) > 0 {
				m.SetStr("content", pyval.NewList(left...))
			}
		}
	case p == fill && !thought:
		m = m.Clone()
		m.SetStr(reasoningFields[0], pyval.Str(""))
	}
	return m
}

// hasReasoning reports whether a message holds reasoning, in a field or among
// the parts of its content.
func hasReasoning(m *pyval.Dict) bool {
	return slices.ContainsFunc(reasoningFields, m.Has) || slices.ContainsFunc(Items(m, "content"), isThought)
}

// KeepReasoning adds to a message the reasoning of the message it was made
// from, if there is any.
func KeepReasoning(to, from *pyval.Dict) {
	for _, key := range reasoningFields {
		if v := Get(from, key); v != pyval.None {
			to.SetStr(key, v)
		}
	}
}

// isThought reports whether a part of a content is reasoning.
func isThought(part pyval.Value) bool {
	kind := Text(part, "type")
	return kind == "thinking" || kind == "reasoning"
}

var (
	namesReasoning = pattern.Of(`(?i)\breasoning(_content|_details)?\b|\bthinking\b`)
	wantsIt        = pattern.Of(`(?i)must be (passed|sent|provided|included|returned)|missing|required|must (include|contain|have)|needs? to be`)
)

// Learn learns from a server's refusal of a body that it does not take
// reasoning back, or that it wants some that was left out. The result again
// reports whether the request should be written again. What was learned applies
// to all further requests, and is learned only once: a server that refuses both
// ways wants something else.
func (r *Reasoning) Learn(body *pyval.Dict, err error) (again bool) {
	var refusal *transport.Error
	if r == nil || !errors.As(err, &refusal) || refusal.Kind != transport.BadRequest || !namesReasoning().MatchString(refusal.Message) {
		return false
	}
	sent, lacking := reasoningIn(body)
	want := drop
	if !sent || wantsIt().MatchString(refusal.Message) {
		want = fill
	}
	if want == drop && !sent || want == fill && !lacking {
		return false
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case r.policy == want:
		return true // learned by another request meanwhile
	case r.fixed || r.note != "":
		return false
	}
	r.policy = want
	r.note = fmt.Sprintf("the server refuses the model's reasoning in its messages (%s): it is left out from now on; set repeat_reasoning: false to do so from the start", refusal.Message)
	if want == fill {
		r.note = fmt.Sprintf("the server wants the model's reasoning back (%s): it is sent back from now on; set repeat_reasoning: true to do so from the start", refusal.Message)
	}
	return true
}

// reasoningIn reports whether some of the model's messages in a body hold
// reasoning, and whether some do not.
func reasoningIn(body *pyval.Dict) (sent, lacking bool) {
	for _, m := range Items(body, "messages") {
		if Text(m, "role") != "assistant" {
			continue
		}
		if hasReasoning(m.(*pyval.Dict)) {
			sent = true
		} else {
			lacking = true
		}
	}
	return sent, lacking
}
