package agents_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/gobfcl/bfcl/adapters/oracle"
	"github.com/gobfcl/bfcl/categories"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// A Call is a call that a script makes. Without a Name it is the text that the
// agent ends with, in Arguments.
type Call struct {
	Name      string          `json:"name"`
	Arguments json.RawMessage `json:"arguments"`
}

// A Script holds the calls of each turn of a conversation, by the text of its
// first turn, because agents do not get ids.
type Script map[string][][]Call

// OracleScript returns the calls that the oracle would make. It is an error if
// two cases begin alike and continue differently: no script can tell them
// apart.
func OracleScript(ctx context.Context, cases []*eval.Case) (Script, error) {
	out := Script{}
	for _, c := range cases {
		turns, err := oracleTurns(ctx, c)
		if err != nil {
			return nil, err
		}
		key := FirstText(c)
		if again := out[key]; again != nil && fmt.Sprint(again) != fmt.Sprint(turns) {
			return nil, fmt.Errorf("%s begins as another case does", c.ID)
		}
		out[key] = turns
	}
	return out, nil
}

// FirstText returns the text of a case's first turn, as agents get it.
func FirstText(c *eval.Case) string {
	var texts []string
	for _, m := range c.Turns[0] {
		if m.Role != "system" {
			texts = append(texts, m.Content)
		}
	}
	return strings.Join(texts, "\n\n")
}

func oracleTurns(ctx context.Context, c *eval.Case) ([][]Call, error) {
	adapter := oracle.New(func(string) *eval.Case { return c })
	turns := make([][]Call, len(c.Turns))
	for turn := range turns {
		turns[turn] = []Call{}
		resp, err := adapter.Generate(ctx, &eval.Request{ID: c.ID, Turn: turn, Conversation: c.Scene != nil, Mode: eval.FC})
		if err != nil {
			return nil, err
		}
		if text, ok := resp.Result.(pyval.Str); ok {
			if cat := categories.Find(c.Category); cat != nil && cat.Agentic() {
				said, _ := json.Marshal(string(text))
				turns[turn] = append(turns[turn], Call{Arguments: said})
			}
			continue
		}
		for _, call := range resp.AsMessage().Calls {
			turns[turn] = append(turns[turn], Call{call.Name, json.RawMessage(call.Arguments)})
		}
	}
	return turns, nil
}
