//go:build bedrock

package bedrock

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/service/bedrockruntime"
	"github.com/aws/smithy-go/auth/bearer"
	smithyhttp "github.com/aws/smithy-go/transport/http"

	"github.com/gobfcl/bfcl/internal/model/provider"
	"github.com/gobfcl/bfcl/internal/model/transport"
)

// tokenVariable may hold a Bedrock API key, which replaces the signature.
const tokenVariable = "AWS_BEARER_TOKEN_BEDROCK"

// defaultRegion is upstream's.
const defaultRegion = "us-east-1"

// An account is the credentials and the region of requests.
type account struct {
	aws    aws.Config
	region string
}

// accountOf reads AWS's own configuration from the environment and from files.
// If c has no key, it gets the one in the environment.
func accountOf(c *Config) (*account, error) {
	loaded, err := config.LoadDefaultConfig(context.Background())
	if err != nil {
		return nil, errors.New("cannot read the AWS configuration: check AWS_PROFILE and the files in ~/.aws")
	}
	c.Key = cmp.Or(c.Key, os.Getenv(tokenVariable))
	loaded.Region = cmp.Or(regionOf(c.Model), loaded.Region, defaultRegion)
	return &account{aws: loaded, region: loaded.Region}, nil
}

// regionOf returns the region in an ARN, "" for other names.
func regionOf(model string) string {
	parts := strings.SplitN(model, ":", 5)
	if len(parts) < 5 || parts[0] != "arn" {
		return ""
	}
	return parts[3]
}

// transport returns a transport with default options that signs each attempt.
func (a *account) transport(c *Config) *transport.Transport {
	return transport.New(transport.Options{
		Base: signing{next: pool(), credentials: a.aws.Credentials, now: nowUTC}, KeyName: "AWS_ACCESS_KEY_ID", Secrets: []string{c.Key},
	})
}

// options returns the settings of the SDK's client: no retries of its own, and
// a key instead of a signature if there is one.
func (a *account) options(c *Config, wire *provider.Wire) func(*bedrockruntime.Options) {
	key, headers := c.Key, c.Headers.Clone()
	return func(o *bedrockruntime.Options) {
		o.HTTPClient = wire.Client()
		o.Retryer = aws.NopRetryer{}
		if c.BaseURL != "" {
			o.BaseEndpoint = aws.String(wire.Home())
		}
		if key != "" {
			o.BearerAuthTokenProvider = bearer.StaticTokenProvider{Token: bearer.Token{Value: key}}
			o.BearerAuthSigner = bearerHeader{}
			o.AuthSchemePreference = []string{"httpBearerAuth"}
		}
		for name, values := range headers {
			for _, value := range values {
				o.APIOptions = append(o.APIOptions, smithyhttp.AddHeaderValue(name, value))
			}
		}
	}
}

// A bearerHeader puts a key into a header. The SDK's own signer refuses to if
// the address is not HTTPS, such as that of a proxy on this machine.
type bearerHeader struct{}

// SignWithBearerToken puts a key into a request's header.
func (bearerHeader) SignWithBearerToken(_ context.Context, token bearer.Token, m bearer.Message) (bearer.Message, error) {
	req, ok := m.(*smithyhttp.Request)
	if !ok {
		return nil, fmt.Errorf("the SDK's request is a %T", m)
	}
	signed := req.Clone()
	signed.Header.Set("Authorization", "Bearer "+token.Value)
	return signed, nil
}

// credentialFault returns the infrastructure error for an error of the SDK.
// Missing credentials stop the run.
func credentialFault(err error) error {
	var sent *transport.Error
	if err == nil || errors.As(err, &sent) || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	if text := err.Error(); !strings.Contains(text, "credentials") && !strings.Contains(text, "get identity") {
		return err
	}
	return &transport.Error{
		Kind: transport.Unauthorized, Fatal: true,
		Message: "there are no valid AWS credentials",
		Hint:    "set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE, or " + tokenVariable,
	}
}
