//go:build bedrock

package bedrock

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/service/bedrockruntime"
	"github.com/aws/smithy-go/middleware"
	smithyhttp "github.com/aws/smithy-go/transport/http"

	"github.com/gobfcl/bfcl/adapters/openai/endpoint"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/pyval"
	"github.com/gobfcl/bfcl/internal/tool"
)

// A Config says which model to ask, where and with what parameters. Model is a
// model's id, an inference profile such as "us.amazon.nova-pro-v1:0", or an
// ARN. Key is a Bedrock API key; without one the credentials are those of
// AWS's default chain. A Transport should have Signing in its Base.
// APIVersion, MaxTokensField and ToolStyle are OpenAI's alone.
type Config = endpoint.Config

// An Adapter asks one model. It is safe for concurrent use.
type Adapter struct {
	cfg    Config // without key and headers
	wire   *endpoint.Wire
	client *bedrockruntime.Client
}

// New checks a configuration and reads AWS's. Nothing is sent.
func New(cfg Config) (*Adapter, error) {
	if cfg.ReasoningEffort != "" {
		return nil, errors.New("bedrock: each model has a field of its own for reasoning effort: state it in the extra body field additionalModelRequestFields")
	}
	account, err := accountOf(&cfg)
	if err != nil {
		return nil, fmt.Errorf("bedrock: %w", err)
	}
	if cfg.Transport == nil {
		cfg.Transport = account.transport(&cfg)
	}
	home := "https://bedrock-runtime." + account.region + ".amazonaws.com"
	wire, err := endpoint.NewWire(&cfg, home, nil)
	if err != nil {
		return nil, fmt.Errorf("bedrock: %w", err)
	}
	client := bedrockruntime.NewFromConfig(account.aws, account.options(&cfg, wire))
	cfg.Key, cfg.Headers = "", nil
	return &Adapter{cfg: cfg, wire: wire, client: client}, nil
}

// String names the model and where it is asked.
func (a *Adapter) String() string { return fmt.Sprintf("bedrock %q at %s", a.cfg.Model, a.wire) }

// Format prints String whatever the verb.
func (a *Adapter) Format(f fmt.State, _ rune) { fmt.Fprint(f, a.String()) }

// Close closes the connections that are not in use.
func (a *Adapter) Close() error { return a.wire.Close() }

// Generate asks the model once.
func (a *Adapter) Generate(ctx context.Context, req *eval.Request) (*eval.Response, error) {
	body, err := a.body(req)
	if err != nil {
		return nil, err
	}
	raw, latency, err := a.wire.Ask(ctx, body, a.send)
	if err != nil {
		return nil, err
	}
	r, err := parse(raw)
	if err != nil {
		return nil, err
	}
	return &eval.Response{
		Result: r.result(req.Mode), Message: r.message(), Reasoning: r.reasoning,
		InputTokens: r.input, OutputTokens: r.output, Latency: latency,
	}, nil
}

func (a *Adapter) send(ctx context.Context, data []byte) error {
	_, err := a.client.Converse(ctx, &bedrockruntime.ConverseInput{ModelId: &a.cfg.Model}, func(o *bedrockruntime.Options) {
		o.APIOptions = append(o.APIOptions, withBody(data))
	})
	return credentialFault(err)
}

// withBody puts a body in before the request is signed.
func withBody(data []byte) func(*middleware.Stack) error {
	put := func(ctx context.Context, in middleware.BuildInput, next middleware.BuildHandler) (middleware.BuildOutput, middleware.Metadata, error) {
		req, ok := in.Request.(*smithyhttp.Request)
		if !ok {
			return middleware.BuildOutput{}, middleware.Metadata{}, fmt.Errorf("the SDK's request is a %T", in.Request)
		}
		req, err := req.SetStream(bytes.NewReader(data))
		if err != nil {
			return middleware.BuildOutput{}, middleware.Metadata{}, err
		}
		req.Header.Set("Content-Type", "application/json")
		in.Request = req
		return next.HandleBuild(ctx, in)
	}
	return func(stack *middleware.Stack) error {
		return stack.Build.Add(middleware.BuildMiddlewareFunc("rawBody", put), middleware.Before)
	}
}

// body is what upstream's NovaHandler sends.
func (a *Adapter) body(req *eval.Request) (*pyval.Dict, error) {
	c := &a.cfg
	system, talk := endpoint.System(req.Messages)
	body := endpoint.Object("messages", blocks.Messages(endpoint.Combined(talk)))
	if system != "" {
		body.SetStr("system", pyval.NewList(block(system)))
	}
	settings := pyval.NewDict(2)
	c.SetTemperature(settings)
	if c.MaxTokens > 0 {
		settings.SetStr("maxTokens", pyval.MakeInt(int64(c.MaxTokens)))
	}
	if settings.Len() > 0 {
		body.SetStr("inferenceConfig", settings)
	}
	return body, a.setTools(body, req)
}

func (a *Adapter) setTools(body *pyval.Dict, req *eval.Request) error {
	config := pyval.NewDict(1)
	if err := a.cfg.SetTools(config, req, tool.Amazon); err != nil {
		return err
	}
	if config.Len() > 0 {
		body.SetStr("toolConfig", config)
	}
	return nil
}
