//go:build bedrock

package bedrock

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	v4 "github.com/aws/aws-sdk-go-v2/aws/signer/v4"
	"github.com/aws/aws-sdk-go-v2/config"

	"github.com/gobfcl/bfcl/internal/model/transport"
)

// Signing returns a base for a transport (its Options.Base) that renews the
// signature of each attempt: a signature is valid for five minutes, and queues
// and retries may take longer. It reads AWS's default chain of credentials when
// it is first needed. A nil base means a connection pool of its own.
func Signing(base http.RoundTripper) http.RoundTripper {
	if base == nil {
		base = pool()
	}
	return signing{next: base, credentials: &defaultChain{}}
}

// pool returns a connection pool that keeps as many connections as a transport
// may have requests in flight.
func pool() http.RoundTripper {
	p := http.DefaultTransport.(*http.Transport).Clone()
	p.MaxIdleConns, p.MaxIdleConnsPerHost, p.MaxConnsPerHost = 512, 512, 512
	p.IdleConnTimeout = 30 * time.Second
	return p
}

// A defaultChain is AWS's default chain of credentials, read once.
type defaultChain struct {
	once     sync.Once
	provider aws.CredentialsProvider
	err      error
}

// Retrieve returns the current credentials.
func (c *defaultChain) Retrieve(ctx context.Context) (aws.Credentials, error) {
	c.once.Do(func() {
		loaded, err := config.LoadDefaultConfig(context.Background())
		c.provider, c.err = loaded.Credentials, err
	})
	if c.err != nil {
		return aws.Credentials{}, c.err
	}
	return c.provider.Retrieve(ctx)
}

// A signing signs the requests whose Authorization header has the scope of a
// signature; others are sent as they are.
type signing struct {
	next        http.RoundTripper
	credentials aws.CredentialsProvider
}

// CloseIdleConnections closes the connections that are not in use.
func (s signing) CloseIdleConnections() {
	if next, ok := s.next.(interface{ CloseIdleConnections() }); ok {
		next.CloseIdleConnections()
	}
}

// RoundTrip signs a request again and sends it.
func (s signing) RoundTrip(req *http.Request) (*http.Response, error) {
	region, service, ok := scope(req.Header.Get("Authorization"))
	if !ok {
		return s.next.RoundTrip(req)
	}
	credentials, err := s.credentials.Retrieve(req.Context())
	if err != nil {
		return nil, &transport.Error{
			Kind: transport.Unauthorized, Fatal: true, Message: "there are no valid AWS credentials",
			Hint: "set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE, or " + tokenVariable,
		}
	}
	sum, err := payloadHash(req)
	if err != nil {
		return nil, err
	}
	signed := req.Clone(req.Context())
	for _, name := range []string{"Authorization", "X-Amz-Date", "X-Amz-Security-Token"} {
		signed.Header.Del(name)
	}
	if err := v4.NewSigner().SignHTTP(req.Context(), credentials, signed, sum, service, region, time.Now().UTC()); err != nil {
		return nil, errors.New("the request cannot be signed")
	}
	return s.next.RoundTrip(signed)
}

// unsigned is the Authorization header of a request that is to be signed: it has
// no more than the signature's scope.
func unsigned(region string) string {
	return "AWS4-HMAC-SHA256 Credential=-/-/" + region + "/bedrock/aws4_request"
}

// scope returns the region and the service that a signature names.
func scope(authorization string) (region, service string, ok bool) {
	rest, ok := strings.CutPrefix(authorization, "AWS4-HMAC-SHA256 Credential=")
	if !ok {
		return "", "", false
	}
	credential, _, _ := strings.Cut(rest, ",")
	parts := strings.Split(credential, "/")
	if len(parts) < 5 { // key, date, region, service, "aws4_request"
		return "", "", false
	}
	return parts[len(parts)-3], parts[len(parts)-2], true
}

func payloadHash(req *http.Request) (string, error) {
	sum := sha256.New()
	if req.GetBody != nil {
		body, err := req.GetBody()
		if err != nil {
			return "", err
		}
		defer func() { _ = body.Close() }()
		if _, err := io.Copy(sum, body); err != nil {
			return "", err
		}
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}
