package main

import (
	"bytes"
	"encoding/json"
	"io"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/adapters/agent"
	"github.com/gobfcl/bfcl/internal/world/endpoint"
)

// TestMCPConnect passes a client's calls on from standard input and output.
func TestMCPConnect(t *testing.T) {
	host, err := endpoint.Listen()
	require.NoError(t, err)
	defer func() { _ = host.Close() }()
	e, err := host.Open(endpoint.Noted{}, endpoint.Limits{})
	require.NoError(t, err)
	require.NoError(t, e.Show([]endpoint.Tool{{Name: "add", Description: "Adds.", Schema: json.RawMessage(`{"type": "object"}`)}}))
	e.Begin()
	t.Setenv(agent.URLVariable, e.URL())
	_, value := e.Header()
	t.Setenv(agent.TokenVariable, strings.TrimPrefix(value, agent.Scheme))
	inRead, inWrite := io.Pipe()
	outRead, outWrite := io.Pipe()
	var said bytes.Buffer
	ended := make(chan int, 1)
	go func() {
		ended <- Main([]string{"mcp-connect"}, inRead, outWrite, &said)
		_ = outWrite.Close()
	}()
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)
	s, err := client.Connect(t.Context(), &mcp.IOTransport{Reader: outRead, Writer: inWrite}, nil)
	require.NoError(t, err)
	result, err := s.CallTool(t.Context(), &mcp.CallToolParams{Name: "add", Arguments: json.RawMessage(`{"a":1}`)})
	require.NoError(t, err)
	assert.Contains(t, result.Content[0].(*mcp.TextContent).Text, "noted")
	_ = inWrite.Close()
	assert.Equal(t, exitOK, <-ended, said.String())
	_ = s.Close()
	calls := e.End()
	require.Len(t, calls, 1)
	assert.JSONEq(t, `{"a": 1}`, calls[0].Arguments)
}
