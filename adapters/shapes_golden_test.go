package adapters_test

import (
	"encoding/json"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/require"
)

// The shapes of requests that have no specification to be had as a file, written
// from the providers' reference pages (platform.claude.com/docs/en/api/messages,
// ai.google.dev/api/generate-content, docs.cohere.com/reference/chat): of each
// object the fields that are sent, with their types, and those that it needs.
// Objects are closed.
const (
	anthropicShape = `{
  "$defs": {
    "cache": {"type": "object", "properties": {"type": {"const": "ephemeral"}, "ttl": {"enum": ["5m", "1h"]}}, "required": ["type"], "additionalProperties": false},
    "text": {"type": "object", "properties": {"type": {"const": "text"}, "text": {"type": "string"}, "cache_control": {"$ref": "#/$defs/cache"}}, "required": ["type", "text"], "additionalProperties": false},
    "thinking": {"type": "object", "properties": {"type": {"const": "thinking"}, "thinking": {"type": "string"}, "signature": {"type": "string"}}, "required": ["type", "thinking", "signature"], "additionalProperties": false},
    "use": {"type": "object", "properties": {"type": {"const": "tool_use"}, "id": {"type": "string"}, "name": {"type": "string", "minLength": 1, "maxLength": 200}, "input": {"type": "object"}, "cache_control": {"$ref": "#/$defs/cache"}}, "required": ["type", "id", "name", "input"], "additionalProperties": false},
    "result": {"type": "object", "properties": {"type": {"const": "tool_result"}, "tool_use_id": {"type": "string"}, "content": {"anyOf": [{"type": "string"}, {"type": "array", "items": {"$ref": "#/$defs/text"}}]}, "is_error": {"type": "boolean"}, "cache_control": {"$ref": "#/$defs/cache"}}, "required": ["type", "tool_use_id"], "additionalProperties": false},
    "block": {"oneOf": [{"$ref": "#/$defs/text"}, {"$ref": "#/$defs/thinking"}, {"$ref": "#/$defs/use"}, {"$ref": "#/$defs/result"}]},
    "message": {"type": "object", "properties": {"role": {"enum": ["user", "assistant"]}, "content": {"anyOf": [{"type": "string"}, {"type": "array", "items": {"$ref": "#/$defs/block"}}]}}, "required": ["role", "content"], "additionalProperties": false},
    "tool": {"type": "object", "properties": {"name": {"type": "string", "pattern": "^[a-zA-Z0-9_-]{1,128}$"}, "description": {"type": "string"}, "input_schema": {"type": "object", "properties": {"type": {"const": "object"}, "properties": {"type": ["object", "null"]}, "required": {"type": ["array", "null"], "items": {"type": "string"}}}, "required": ["type"]}, "cache_control": {"$ref": "#/$defs/cache"}}, "required": ["name", "input_schema"], "additionalProperties": false},
    "Request": {"type": "object", "properties": {
      "model": {"type": "string"}, "max_tokens": {"type": "integer", "minimum": 1}, "temperature": {"type": "number", "minimum": 0, "maximum": 1},
      "messages": {"type": "array", "minItems": 1, "items": {"$ref": "#/$defs/message"}},
      "system": {"anyOf": [{"type": "string"}, {"type": "array", "items": {"$ref": "#/$defs/text"}}]},
      "tools": {"type": "array", "items": {"$ref": "#/$defs/tool"}}, "stream": {"type": "boolean"},
      "output_config": {"type": "object", "properties": {"effort": {"type": "string"}}, "additionalProperties": false}
    }, "required": ["model", "max_tokens", "messages"], "additionalProperties": false}
  }
}`
	geminiShape = `{
  "$defs": {
    "part": {"type": "object", "minProperties": 1, "properties": {
      "text": {"type": "string"}, "thought": {"type": "boolean"}, "thoughtSignature": {"type": "string"},
      "functionCall": {"type": "object", "properties": {"id": {"type": "string"}, "name": {"type": "string"}, "args": {"type": "object"}}, "required": ["name"], "additionalProperties": false},
      "functionResponse": {"type": "object", "properties": {"id": {"type": "string"}, "name": {"type": "string"}, "response": {"type": "object"}}, "required": ["name", "response"], "additionalProperties": false}
    }, "additionalProperties": false},
    "content": {"type": "object", "properties": {"role": {"enum": ["user", "model"]}, "parts": {"type": "array", "minItems": 1, "items": {"$ref": "#/$defs/part"}}}, "required": ["parts"], "additionalProperties": false},
    "schema": {"type": "object", "properties": {
      "type": {"enum": ["string", "number", "integer", "boolean", "array", "object", "STRING", "NUMBER", "INTEGER", "BOOLEAN", "ARRAY", "OBJECT"]},
      "format": {"type": "string"}, "title": {"type": "string"}, "description": {"type": "string"}, "nullable": {"type": "boolean"},
      "enum": {"type": "array", "items": {"type": "string"}}, "required": {"type": "array", "items": {"type": "string"}},
      "properties": {"type": "object", "additionalProperties": {"$ref": "#/$defs/schema"}}, "items": {"$ref": "#/$defs/schema"},
      "anyOf": {"type": "array", "items": {"$ref": "#/$defs/schema"}}, "propertyOrdering": {"type": "array", "items": {"type": "string"}},
      "default": true, "example": true, "pattern": {"type": "string"},
      "minimum": {"type": "number"}, "maximum": {"type": "number"},
      "minItems": {"type": ["string", "integer"]}, "maxItems": {"type": ["string", "integer"]}, "minLength": {"type": ["string", "integer"]}, "maxLength": {"type": ["string", "integer"]}
    }, "additionalProperties": false},
    "declaration": {"type": "object", "properties": {"name": {"type": "string", "pattern": "^[a-zA-Z_][a-zA-Z0-9_.:-]{0,127}$"}, "description": {"type": "string"}, "parameters": {"$ref": "#/$defs/schema"}}, "required": ["name", "description"], "additionalProperties": false},
    "Request": {"type": "object", "properties": {
      "contents": {"type": "array", "minItems": 1, "items": {"$ref": "#/$defs/content"}},
      "systemInstruction": {"$ref": "#/$defs/content"},
      "tools": {"type": "array", "items": {"type": "object", "properties": {"functionDeclarations": {"type": "array", "items": {"$ref": "#/$defs/declaration"}}}, "additionalProperties": false}},
      "generationConfig": {"type": "object", "properties": {"temperature": {"type": "number", "minimum": 0, "maximum": 2}, "maxOutputTokens": {"type": "integer"}, "thinkingConfig": {"type": "object", "properties": {"includeThoughts": {"type": "boolean"}, "thinkingBudget": {"type": "integer"}, "thinkingLevel": {"type": "string"}}, "additionalProperties": false}}, "additionalProperties": false}
    }, "required": ["contents"], "additionalProperties": false}
  }
}`
	cohereShape = `{
  "$defs": {
    "text": {"type": "object", "properties": {"type": {"const": "text"}, "text": {"type": "string"}}, "required": ["type", "text"], "additionalProperties": false},
    "document": {"type": "object", "properties": {"type": {"const": "document"}, "document": {"type": "object", "properties": {"data": {"type": ["object", "string"]}, "id": {"type": "string"}}, "required": ["data"], "additionalProperties": false}}, "required": ["type", "document"], "additionalProperties": false},
    "thinking": {"type": "object", "properties": {"type": {"const": "thinking"}, "thinking": {"type": "string"}}, "required": ["type", "thinking"], "additionalProperties": false},
    "content": {"anyOf": [{"type": "string"}, {"type": "array", "items": {"oneOf": [{"$ref": "#/$defs/text"}, {"$ref": "#/$defs/document"}, {"$ref": "#/$defs/thinking"}]}}]},
    "call": {"type": "object", "properties": {"id": {"type": "string"}, "type": {"const": "function"}, "function": {"type": "object", "properties": {"name": {"type": "string"}, "arguments": {"type": "string"}}, "additionalProperties": false}}, "required": ["id", "type"], "additionalProperties": false},
    "message": {"oneOf": [
      {"type": "object", "properties": {"role": {"enum": ["user", "system"]}, "content": {"$ref": "#/$defs/content"}}, "required": ["role", "content"], "additionalProperties": false},
      {"type": "object", "properties": {"role": {"const": "assistant"}, "content": {"$ref": "#/$defs/content"}, "tool_calls": {"type": "array", "items": {"$ref": "#/$defs/call"}}, "tool_plan": {"type": "string"}, "citations": {"type": "array"}}, "required": ["role"], "additionalProperties": false},
      {"type": "object", "properties": {"role": {"const": "tool"}, "tool_call_id": {"type": "string"}, "content": {"$ref": "#/$defs/content"}}, "required": ["role", "tool_call_id", "content"], "additionalProperties": false}
    ]},
    "tool": {"type": "object", "properties": {"type": {"const": "function"}, "function": {"type": "object", "properties": {"name": {"type": "string"}, "description": {"type": "string"}, "parameters": {"type": "object"}}, "required": ["name", "parameters"], "additionalProperties": false}}, "required": ["type"], "additionalProperties": false},
    "Request": {"type": "object", "properties": {
      "model": {"type": "string"}, "messages": {"type": "array", "minItems": 1, "items": {"$ref": "#/$defs/message"}},
      "tools": {"type": "array", "items": {"$ref": "#/$defs/tool"}}, "temperature": {"type": "number", "minimum": 0, "maximum": 1},
      "max_tokens": {"type": "integer"}, "stream": {"type": "boolean"}, "strict_tools": {"type": "boolean"},
      "citation_options": {"type": "object", "properties": {"mode": {"enum": ["FAST", "ACCURATE", "OFF"]}}, "additionalProperties": false},
      "thinking": {"type": "object", "properties": {"type": {"enum": ["enabled", "disabled"]}, "token_budget": {"type": "integer"}}, "required": ["type"], "additionalProperties": false}
    }, "required": ["model", "messages"], "additionalProperties": false}
  }
}`
)

// shape is the schema of a request.
func shape(text string) func(t *testing.T) *jsonschema.Schema {
	return func(t *testing.T) *jsonschema.Schema {
		t.Helper()
		var doc any
		require.NoError(t, json.Unmarshal([]byte(text), &doc))
		return compiled(t, doc, "/$defs/Request")
	}
}
