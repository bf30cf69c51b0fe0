//go:build bedrock

package bedrock

import (
	"cmp"
	"context"
	"errors"
	"os"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/smithy-go/logging"

	"github.com/gobfcl/bfcl/internal/model/provider"
	"github.com/gobfcl/bfcl/internal/model/transport"
)

// tokenVariable may hold a Bedrock API key, which replaces the signature.
const tokenVariable = "AWS_BEARER_TOKEN_BEDROCK"

// defaultRegion is upstream's.
const defaultRegion = "us-east-1"

// lookup is how long the search for credentials may take, which asks the
// machine's metadata server last.
const lookup = 15 * time.Second

// An account is the credentials and the region of requests.
type account struct {
	aws    aws.Config
	region string
}

// accountOf reads AWS's own configuration from the environment and from files.
// If c has no key, it gets the one in the environment.
func accountOf(c *provider.Config) (*account, error) {
	loaded, err := config.LoadDefaultConfig(context.Background(), config.WithLogger(logging.Nop{}))
	if err != nil {
		return nil, errors.New("cannot read the AWS configuration: check AWS_PROFILE and the files in ~/.aws")
	}
	c.Key = cmp.Or(c.Key, os.Getenv(tokenVariable))
	if c.Key == "" {
		ctx, cancel := context.WithTimeout(context.Background(), lookup)
		defer cancel()
		if _, err := loaded.Credentials.Retrieve(ctx); err != nil {
			return nil, errors.New("no AWS credentials are found: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, AWS_PROFILE, or " + tokenVariable)
		}
	}
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
func (a *account) transport(c *provider.Config) *transport.Transport {
	return transport.New(transport.Options{
		Base: signing{next: pool(), credentials: a.aws.Credentials}, KeyName: "AWS_ACCESS_KEY_ID", Secrets: []string{c.Key},
	})
}
