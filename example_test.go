package bfcl_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gobfcl/bfcl"
)

// A librarian stands for a client of yours. It takes one number for a text.
type librarian struct{}

// Generate would send messages and tools to a server.
func (librarian) Generate(_ context.Context, req *bfcl.Request) (*bfcl.Response, error) {
	question := req.Messages[len(req.Messages)-1].Content
	call := func(name, arguments string) *bfcl.Response {
		return &bfcl.Response{
			Calls: []bfcl.Call{{Name: name, Arguments: arguments}},
			Usage: bfcl.Usage{InputTokens: 100, OutputTokens: 10},
		}
	}
	switch {
	case strings.Contains(question, "Ernaux"):
		return call("find_books", `{"author": "Ernaux", "language": "fr"}`), nil
	case strings.Contains(question, "Winter Bread"):
		return call("reserve_book", `{"title": "Winter Bread", "member": "20417"}`), nil
	case strings.Contains(question, "Saturday"):
		return call("opening_hours", `{"branch": "harbour", "day": "Saturday"}`), nil
	case strings.Contains(question, "Dürrenmatt"):
		return call("find_books", `{"author": "Dürrenmatt", "limit": 5}`), nil
	case strings.Contains(question, "Low Tide"):
		return &bfcl.Response{Calls: []bfcl.Call{
			{Name: "opening_hours", Arguments: `{"branch": "harbour"}`},
			{Name: "reserve_book", Arguments: `{"title": "Low Tide", "member": 311}`},
		}}, nil
	}
	return &bfcl.Response{Text: "The library cannot help with that."}, nil
}

// Each case is a subtest of the test that t is.
func ExampleRun() {
	test := func(t *testing.T) {
		bfcl.Run(t, librarian{}, bfcl.Suite("testdata/library"), bfcl.RunDir("results/librarian"))
	}
	_ = test // go test calls it
}

func ExampleMeasure() {
	result, err := bfcl.Measure(context.Background(), librarian{}, bfcl.Suite("testdata/library"))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%s: %.0f%%\n", result.Model, 100*result.Overall.Share)
	for _, c := range result.Categories {
		fmt.Printf("%s: %d of %d\n", c.Name, c.Correct, c.Total)
	}
	for _, v := range result.Verdicts {
		if v.Status != bfcl.Pass {
			fmt.Println(v.ID, v.ErrorType)
		}
	}
	// Output:
	// bfcl_test.librarian: 85%
	// requests: 3 of 4
	// errands: 1 of 1
	// no_tool_fits: 2 of 2
	// requests_1 type_error:simple
}

// A gate decides where single wrong answers are no reason to fail.
func ExampleGate() {
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer func() { _ = os.RemoveAll(dir) }()
	rules := filepath.Join(dir, "gate.yaml")
	if err := os.WriteFile(rules, []byte("{floors: {overall: 80, requests: 90}, min_cases: 1}"), 0o600); err != nil {
		fmt.Println(err)
		return
	}
	result, err := bfcl.Measure(context.Background(), librarian{}, bfcl.Suite("testdata/library"), bfcl.Gate(rules))
	if err != nil {
		fmt.Println(err)
		return
	}
	lines := strings.Split(result.Gate.Text, "\n")
	fmt.Println(result.Gate.Outcome)
	fmt.Println(lines[0])
	// Output:
	// fail
	// DO NOT MERGE: 1 of 2 rules failed.
}

// What keeps a model from answering is an error, and no wrong answer.
func ExampleErrUnscored() {
	shaky := bfcl.ModelFunc(func(ctx context.Context, req *bfcl.Request) (*bfcl.Response, error) {
		if strings.Contains(req.Messages[0].Content, "Ernaux") {
			return nil, errors.New("the connection broke")
		}
		return librarian{}.Generate(ctx, req)
	})
	result, err := bfcl.Measure(context.Background(), shaky, bfcl.Suite("testdata/library"), bfcl.Name("shaky"))
	fmt.Println(errors.Is(err, bfcl.ErrUnscored))
	for _, v := range result.Verdicts {
		if v.Status == bfcl.Error {
			fmt.Println(v.ID, v.ErrorType)
		}
	}
	// Output:
	// true
	// requests_0 infrastructure:adapter
}

func ExampleOpen() {
	model, err := bfcl.Open("heuristic") // or "openai:gpt-4.1-mini", or "anthropic:…"
	if err != nil {
		fmt.Println(err)
		return
	}
	defer func() { _ = model.Close() }()
	answer, err := model.Generate(context.Background(), &bfcl.Request{
		Messages: []bfcl.Message{{Role: bfcl.User, Content: "What is the weather in Lyon?"}},
		Tools: []bfcl.Tool{{
			Name: "weather", Description: "The weather in a city.",
			Parameters: json.RawMessage(`{"type": "object", "properties": {"city": {"type": "string", "description": "The city."}}, "required": ["city"]}`),
		}},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(answer.Calls[0].Name, answer.Calls[0].Arguments)
	// Output: weather {"city": "Lyon"}
}

// Each shows a run as it goes.
func ExampleEach() {
	done := 0
	_, err := bfcl.Measure(context.Background(), librarian{}, bfcl.Suite("testdata/library"),
		bfcl.Categories("requests"), bfcl.Trials(2), bfcl.Each(func(bfcl.Verdict) { done++ }))
	fmt.Println(done, err)
	// Output: 8 <nil>
}

// A case of the suite has the argument {card: {func: card_number}}.
func ExampleMatch() {
	bfcl.Match("card_number", func(argument json.RawMessage) error {
		var card string
		if err := json.Unmarshal(argument, &card); err != nil {
			return err
		}
		if !strings.HasPrefix(card, "LIB-") {
			return errors.New("a card's number begins with LIB-")
		}
		return nil
	})
}
