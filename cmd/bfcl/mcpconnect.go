package main

import (
	"context"
	"io"
	"os"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/spf13/cobra"

	"github.com/gobfcl/bfcl/adapters/agent"
	"github.com/gobfcl/bfcl/internal/gotest/process"
	"github.com/gobfcl/bfcl/internal/option"
	"github.com/gobfcl/bfcl/internal/world/endpoint/mcptools"
)

func (a *app) mcpConnectCommand() *cobra.Command {
	return &cobra.Command{
		Use:    "mcp-connect",
		Hidden: true,
		Short:  "Serve a case's tools to an agent that starts its MCP servers",
		Long: `Serve the tools of a case over standard input and output, for agents that start
their MCP servers as programs. The case is given by the environment:
` + agent.URLVariable + ` is its address and ` + agent.TokenVariable + ` its token.
-model=agent:<program> sets both.

Exit codes: 0 the agent ended the connection; 2 the tools cannot be reached;
3 wrong usage.`,
		Example: `  claude mcp add bfcl -- bfcl mcp-connect`,
		Args:    noArguments,
		RunE: func(*cobra.Command, []string) error {
			url, token := os.Getenv(agent.URLVariable), os.Getenv(agent.TokenVariable)
			if url == "" || token == "" {
				return option.Misuse("%s and %s are not set: `bfcl run -model=agent:<program>` sets them for the agent", agent.URLVariable, agent.TokenVariable)
			}
			ctx, stop := process.Interrupted(context.Background())
			defer stop()
			return mcptools.Bridge(ctx, url, token, &mcp.IOTransport{Reader: io.NopCloser(a.in), Writer: openWriter{a.out}})
		},
	}
}

// An openWriter stays open after Close.
type openWriter struct{ io.Writer }

// Close does nothing.
func (openWriter) Close() error { return nil }
