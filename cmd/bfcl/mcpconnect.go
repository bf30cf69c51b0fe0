package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/spf13/cobra"

	"github.com/gobfcl/bfcl/adapters/agent"
	"github.com/gobfcl/bfcl/internal/kit/misuse"
	"github.com/gobfcl/bfcl/internal/world/endpoint"
)

func (a *app) mcpConnectCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "mcp-connect",
		Short: "Hand a case's tools to an agent that only starts MCP servers",
		Long: `Serve the tools of a case over standard input and output, for agents that start
their MCP servers as programs. Which case's is in the environment, where
-model=agent:<program> puts it: ` + agent.URLVariable + ` is the address and
` + agent.TokenVariable + ` the token. ` + "`bfcl serve`" + ` prints both.

Exit codes: 0 the agent has ended the connection; 2 the tools cannot be reached;
3 wrong usage.`,
		Example: `  claude mcp add bfcl -- bfcl mcp-connect`,
		Args:    noArguments,
		RunE: func(*cobra.Command, []string) error {
			url, token := os.Getenv(agent.URLVariable), os.Getenv(agent.TokenVariable)
			if url == "" || token == "" {
				return misuse.Errorf("%s and %s are not set: they are in the environment of agents that `bfcl run -model=agent:<program>` starts", agent.URLVariable, agent.TokenVariable)
			}
			ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
			defer stop()
			return endpoint.Bridge(ctx, url, token, a.stdio())
		},
	}
}

// stdio is standard input and output as a connection of the protocol.
func (a *app) stdio() mcp.Transport {
	return &mcp.IOTransport{Reader: readCloser{a.in}, Writer: writeCloser{a.out}}
}
