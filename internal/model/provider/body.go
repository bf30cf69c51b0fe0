package provider

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/pose/tool"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// SetTemperature adds the temperature if one is to be sent.
func (c *Config) SetTemperature(body *pyval.Dict) {
	switch {
	case c.Temperature != nil:
		body.SetStr("temperature", pyval.Float(*c.Temperature))
	case !RefusesTemperature(c.Model):
		body.SetStr("temperature", pyval.Float(DefaultTemperature))
	}
}

// SetTools adds a request's tool schemas if it has tools and they are sent in a
// field of their own.
func (c *Config) SetTools(body *pyval.Dict, req *eval.Request, style tool.Style) error {
	if req.Mode == eval.Prompt || len(req.Tools) == 0 {
		return nil
	}
	if req.Sent != nil {
		tools, err := tool.Written(req.Sent, style)
		if err == nil && len(tools.Items) > 0 {
			body.SetStr("tools", tools)
		}
		return err
	}
	if c.Wording == nil {
		return eval.Infra("config", "the texts of tool schemas are missing: the adapter was opened without a dataset's prompts.json")
	}
	tools, err := req.Schemas.Of(req.Tools, func() (*pyval.List, error) { return c.Wording.Convert(req.Tools, style) })
	if err != nil {
		return &eval.InfraError{Kind: "tool_schema", Err: err}
	}
	if len(tools.Items) > 0 {
		Declare(tools.Items)
		body.SetStr("tools", tools)
	}
	return nil
}

// Declare removes from tools the document of what a function returns, because
// no provider has a field for it and strict servers refuse it. Styles that show
// it to a model put it into the description.
func Declare(tools []pyval.Value) {
	for _, item := range tools {
		if function, ok := Get(item, "function").(*pyval.Dict); ok {
			item = function
		}
		if doc, ok := item.(*pyval.Dict); ok {
			doc.Delete(pyval.Str("response"))
		}
	}
}

// SetStrict adds `strict` to a function's schema if it is to be sent.
func (c *Config) SetStrict(function pyval.Value) {
	if doc, ok := function.(*pyval.Dict); ok && c.Strict != nil {
		doc.SetStr("strict", pyval.Bool(*c.Strict))
	}
}

// extraFields reads Config.Extra, in the order of the keys.
func extraFields(extra map[string]any) (*pyval.Dict, error) {
	fields := pyval.NewDict(len(extra))
	for _, key := range slices.Sorted(maps.Keys(extra)) {
		text, err := json.Marshal(extra[key])
		if err != nil {
			return nil, fmt.Errorf("extra body field %q: %w", key, err)
		}
		v, err := pyval.ParseJSON(string(text))
		if err != nil {
			return nil, fmt.Errorf("extra body field %q: %w", key, err)
		}
		fields.SetStr(key, v)
	}
	return fields, nil
}

// encode returns a body as it is sent, with the extra fields.
func (e *Endpoint) encode(body *pyval.Dict) ([]byte, error) {
	for key, v := range e.extra.All() {
		if v == pyval.None {
			body.Delete(key)
			continue
		}
		body.SetStr(pyval.Text(key), v)
	}
	const usual = 2048
	room := e.room.Load()
	data, err := pyval.AppendJSON(make([]byte, 0, max(usual, room+room/8)), body, pyval.JSONUnicode|pyval.JSONCompact)
	e.room.Store(int64(len(data)))
	if err != nil {
		return nil, eval.Infra("request", "the request cannot be written as JSON: %w", err)
	}
	if doubtful(data) && !json.Valid(data) {
		return nil, eval.Infra("request", "the request cannot be written as JSON: it holds NaN or an infinite number, or is nested too deeply")
	}
	return data, nil
}

// doubtful reports whether a body may hold Python's NaN or Infinity, which JSON
// does not have, or be nested more deeply than a server can be expected to
// read.
func doubtful(data []byte) bool {
	const many = 5000
	return bytes.Contains(data, []byte("NaN")) || bytes.Contains(data, []byte("Infinity")) ||
		bytes.Count(data, []byte("[")) > many || bytes.Count(data, []byte("{")) > many
}
