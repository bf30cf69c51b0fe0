//go:build bedrock

package bedrock

import (
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/model/transport"
	"github.com/gobfcl/bfcl/internal/test/adaptertest"
)

// A recorder is a base that keeps the headers of what it sends.
type recorder struct{ sent []http.Header }

func (r *recorder) RoundTrip(req *http.Request) (*http.Response, error) {
	r.sent = append(r.sent, req.Header.Clone())
	if len(r.sent) == 1 {
		return nil, errors.New("cut off")
	}
	return &http.Response{StatusCode: 200, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(hello))}, nil
}

func signed(t *testing.T) {
	t.Helper()
	clean(t)
	t.Setenv("AWS_ACCESS_KEY_ID", "AKIDPLANTED0123456")
	t.Setenv("AWS_SECRET_ACCESS_KEY", adaptertest.Secret)
	t.Setenv("AWS_SESSION_TOKEN", "session+"+adaptertest.Secret)
	t.Setenv("AWS_REGION", "eu-central-1")
}

func question() *eval.Request {
	return &eval.Request{Mode: eval.FC, Messages: []eval.Message{{Role: "user", Content: "Hi."}}}
}

// TestSignedAnew checks that each attempt has a signature of its own time.
func TestSignedAnew(t *testing.T) {
	signed(t)
	base, now := &recorder{}, time.Date(2031, 5, 6, 7, 8, 9, 0, time.UTC)
	signer := Signing(base).(signing)
	signer.now = func() time.Time { now = now.Add(time.Hour); return now }
	a, err := New(Config{Model: "us.amazon.nova-lite-v1:0", Transport: transport.New(transport.Options{Base: signer, RetryWait: time.Millisecond})})
	require.NoError(t, err)
	_, err = a.Generate(t.Context(), question())
	require.NoError(t, err)
	require.Len(t, base.sent, 2)
	for i, date := range []string{"20310506T080809Z", "20310506T090809Z"} {
		assert.Equal(t, date, base.sent[i].Get("X-Amz-Date"))
		assert.Contains(t, base.sent[i].Get("Authorization"), "/20310506/eu-central-1/bedrock/aws4_request")
		assert.Equal(t, []string{"session+" + adaptertest.Secret}, base.sent[i].Values("X-Amz-Security-Token"))
	}
	assert.NotEqual(t, base.sent[0].Get("Authorization"), base.sent[1].Get("Authorization"))
}

type tripper func(*http.Request) (*http.Response, error)

func (f tripper) RoundTrip(req *http.Request) (*http.Response, error) { return f(req) }

// TestNoCredentials checks that a run without credentials does not begin.
func TestNoCredentials(t *testing.T) {
	clean(t)
	_, err := New(Config{Model: "us.amazon.nova-lite-v1:0"})
	require.ErrorContains(t, err, "no AWS credentials are found: set AWS_ACCESS_KEY_ID")
}

func TestBadConfig(t *testing.T) {
	clean(t)
	_, err := New(Config{Key: "k"})
	assert.ErrorContains(t, err, "no model")
	_, err = New(Config{Key: "k", Model: "m", ReasoningEffort: "low"})
	assert.ErrorContains(t, err, "additionalModelRequestFields")
}

func TestScope(t *testing.T) {
	for _, c := range []struct{ header, region, service string }{
		{"AWS4-HMAC-SHA256 Credential=A/20310506/eu-west-1/bedrock/aws4_request, SignedHeaders=host, Signature=x", "eu-west-1", "bedrock"},
		{"Bearer x", "", ""}, {"", "", ""}, {"AWS4-HMAC-SHA256 Credential=A", "", ""},
	} {
		region, service, ok := scope(c.header)
		assert.Equal(t, []string{c.region, c.service}, []string{region, service}, c.header)
		assert.Equal(t, c.region != "", ok)
	}
}
