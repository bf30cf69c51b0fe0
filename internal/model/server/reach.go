package server

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"syscall"
	"time"

	"github.com/gobfcl/bfcl/internal/pattern"
	"github.com/gobfcl/bfcl/internal/say"
)

// An Address is where a run is going to ask a model, over the protocol of OpenAI.
type Address struct {
	// Base is the base URL, as -base-url gives it.
	Base string
	// Model is the name by which the server knows the model.
	Model string
	// Header is sent with each request; it may hold a key.
	Header http.Header
	// Asked is told of each question: the status and the text of the reply, or an
	// error; nil is told nothing.
	Asked func(status int, text string, err error)
}

// patience is how long a server may take to tell what it serves.
const patience = 4 * time.Second

// Reach returns why no run can begin at the address, in one line that says what
// to do: nothing listens, another program answers, the path is wrong, the key is
// refused, or the server says that it does not know the model. It returns nil
// where a run may begin, and where nobody can tell.
func (a Address) Reach(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	base := strings.TrimRight(a.Base, "/")
	first, err := a.get(ctx, base+"/models")
	switch {
	case errors.Is(err, syscall.ECONNREFUSED):
		return fmt.Errorf("cannot reach %s: %w; is the server running, and on this port?", say.Plain(a.Base, 300), syscall.ECONNREFUSED)
	case err != nil:
		return nil // the run's own patience decides
	case first.code == http.StatusUnauthorized || first.code == http.StatusForbidden:
		return a.refused(ctx, base, first)
	case first.serves != nil:
		return a.named(ctx, base, first)
	}
	if first.code >= http.StatusBadRequest && !first.nowhere() {
		return nil // such as a server that loads
	}
	reply, err := a.ask(ctx, base)
	switch {
	case err != nil:
		return nil
	case reply.code == http.StatusUnauthorized && !reply.page:
		return a.keyRefused(reply)
	case reply.unknown():
		return fmt.Errorf("the server has no model %s: HTTP %d, %s; check the name", say.Quote(a.Model, 100), reply.code, say.Quote(reply.text, 120))
	case !reply.page && !reply.nowhere():
		return nil // questions are answered, whatever becomes of the list
	}
	for _, other := range otherPaths(base) {
		if list, err := a.get(ctx, other+"/models"); err == nil && list.serves != nil {
			return fmt.Errorf("%s has no models, and %s has: use -base-url=%s", say.Plain(a.Base, 300), say.Plain(other, 300), say.ShellWord(other))
		}
	}
	if first.page {
		return fmt.Errorf("another program than a model's server answers at %s: HTTP %d, %s; check the port and the path", say.Plain(a.Base, 300), reply.code, say.Quote(reply.text, 80))
	}
	return nil
}

// otherPaths returns the addresses that may have been meant: with /v1, and without
// a doubled one.
func otherPaths(base string) []string {
	at, err := url.Parse(base)
	if err != nil {
		return nil
	}
	path := at.Path
	at.Path = ""
	root := at.String()
	out := []string{base + "/v1"}
	if path != "/v1" {
		out = append(out, root+"/v1")
	}
	if before, doubled := strings.CutSuffix(path, "/v1/v1"); doubled {
		out = []string{root + before + "/v1"}
	}
	return out
}

// named returns an error if the server says that it does not know the model.
// Gateways list other names than they answer to, and refuse so short a question
// for many other reasons, such as its limit of tokens.
func (a Address) named(ctx context.Context, base string, list *reply) error {
	for _, id := range list.serves {
		if id == a.Model {
			return nil
		}
	}
	reply, err := a.ask(ctx, base)
	if err != nil || !reply.unknown() {
		return nil
	}
	shown := make([]string, 0, len(list.serves))
	for _, id := range list.serves {
		shown = append(shown, say.Plain(id, 100))
	}
	const most = 8
	text := say.First(shown, most)
	nearest := say.Nearest(a.Model, list.serves)
	if len(nearest) == 0 && len(list.serves) == 1 && !strings.Contains(text, "*") {
		nearest = list.serves
	}
	if len(nearest) > 0 {
		return fmt.Errorf("the server has no model %s; it serves %s: use -model=%s", say.Quote(a.Model, 100), text, say.ShellWord("openai:"+nearest[0]))
	}
	return fmt.Errorf("the server has no model %s; it serves %s", say.Quote(a.Model, 100), cmp.Or(text, "none"))
}

// refused returns an error if the key is refused for questions too: some gateways
// only hide the list of models.
func (a Address) refused(ctx context.Context, base string, list *reply) error {
	reply, err := a.ask(ctx, base)
	if err != nil || reply.code != list.code {
		return nil
	}
	return a.keyRefused(reply)
}

func (a Address) keyRefused(r *reply) error {
	what := "refuses the key"
	if len(a.Header) == 0 {
		what = "wants a key, and none was sent"
	}
	return fmt.Errorf("%s %s: HTTP %d, %s; check the key and which server it is for", say.Plain(a.Base, 300), what, r.code, say.Quote(r.text, 120))
}

// unknownModel matches how servers say that they do not know a model: by a code,
// or in words next to "model" and its name.
var unknownModel = pattern.Of(`(?i)model_not_found|deploymentnotfound|invalid_model\b|not a valid model\b` +
	`|\bmodels?\b[/\s:]*["'\x60]*[^\s"'\x60]*["'\x60]*,?\s*(?:is |was |does |could )?not (?:be )?(?:found|exist)` +
	`|\b(?:invalid|unknown|no such) model(?: name| id| identifier|["'\x60:])`)

// unknown reports whether the server says that it does not know the model.
func (r *reply) unknown() bool {
	return (r.code == http.StatusNotFound || r.code == http.StatusBadRequest) && !r.page &&
		unknownModel().MatchString(strings.ReplaceAll(r.text, `\`, ""))
}

// A reply is a server's reply to a question of this file.
type reply struct {
	code   int
	serves []string // the models of a list of models; nil if it is none
	page   bool     // it is no JSON
	text   string
}

// nowhere reports whether the server has nothing at the address.
func (r *reply) nowhere() bool {
	return r.code == http.StatusNotFound || r.code == http.StatusMethodNotAllowed
}

func (a Address) get(ctx context.Context, path string) (*reply, error) {
	return a.send(ctx, http.MethodGet, path, nil)
}

// ask asks the shortest question.
func (a Address) ask(ctx context.Context, base string) (*reply, error) {
	body, err := json.Marshal(map[string]any{"model": a.Model, "max_tokens": 1, "messages": []map[string]string{{"role": "user", "content": "Hi"}}})
	if err != nil {
		return nil, err
	}
	out, err := a.send(ctx, http.MethodPost, base+"/chat/completions", body)
	if told := cmp.Or(out, &reply{}); a.Asked != nil {
		a.Asked(told.code, told.text, err)
	}
	return out, err
}

func (a Address) send(ctx context.Context, method, path string, body []byte) (*reply, error) {
	req, err := http.NewRequestWithContext(ctx, method, path, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	for name, values := range a.Header {
		req.Header[name] = values
	}
	req.Header.Set("Content-Type", "application/json")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, err
	}
	defer func() { _ = resp.Body.Close() }()
	const most = 4 << 20
	data, err := io.ReadAll(io.LimitReader(resp.Body, most))
	if err != nil {
		return nil, err
	}
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	out := &reply{code: resp.StatusCode, page: !json.Valid(data) && !bytes.HasPrefix(data, []byte("data:")), text: string(data)}
	var list struct{ Data *[]struct{ ID string } }
	if json.Unmarshal(data, &list) == nil && list.Data != nil && resp.StatusCode == http.StatusOK {
		out.serves = []string{}
		for _, m := range *list.Data {
			out.serves = append(out.serves, m.ID)
		}
	}
	return out, nil
}
