package fetch

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/cenkalti/backoff/v5"
)

// DefaultMirror is the server that has archives of upstream's commits.
const DefaultMirror = "https://codeload.github.com"

const (
	repository = "/ShishirPatil/gorilla/tar.gz/"
	tries      = 6
	// stall is how long a download may wait for data.
	stall = 90 * time.Second
)

// newClient returns a client that uses the proxies in the environment's usual
// variables and never goes from https to http.
func newClient() *http.Client {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.Proxy = http.ProxyFromEnvironment
	transport.ResponseHeaderTimeout = stall
	transport.DisableCompression = true
	return &http.Client{Transport: transport, CheckRedirect: func(req *http.Request, via []*http.Request) error {
		if len(via) > 5 || via[0].URL.Scheme == "https" && req.URL.Scheme != "https" {
			return errors.New("redirected too often, or from https to http")
		}
		return nil
	}}
}

// address returns the archive's address. A mirror is either an address in which
// {commit} is replaced, or one below which the archive has the same path as on
// DefaultMirror.
func (f *fetcher) address() (*url.URL, error) {
	mirror := cmp.Or(f.Mirror, DefaultMirror)
	if strings.Contains(mirror, "{commit}") {
		mirror = strings.ReplaceAll(mirror, "{commit}", f.pin.Commit)
	} else {
		mirror = strings.TrimRight(mirror, "/") + repository + f.pin.Commit
	}
	at, err := url.Parse(mirror)
	if err != nil || at.Host == "" || at.Scheme != "https" && at.Scheme != "http" {
		return nil, errors.New("the mirror is not an address: write https://host/path, where {commit} stands for the commit's hash")
	}
	return at, nil
}

// download gets the archive and returns its file.
func (f *fetcher) download(ctx context.Context) (string, error) {
	at, err := f.address()
	if err != nil {
		return "", err
	}
	f.Say(fmt.Sprintf("downloading upstream's commit %.12s from %s", f.pin.Commit, at.Host))
	hide := func(err error) string { // an address may hold a user's secrets
		if asked, ok := errors.AsType[*url.Error](err); ok {
			err = asked.Err
		}
		return fmt.Sprintf("download from %s: %v", at.Host, err)
	}
	waits := backoff.NewExponentialBackOff()
	waits.InitialInterval, waits.MaxInterval = f.pause, 30*f.pause
	_, err = backoff.Retry(ctx, func() (struct{}, error) { return struct{}{}, f.once(ctx, at) },
		backoff.WithBackOff(waits), backoff.WithMaxTries(tries), backoff.WithMaxElapsedTime(0),
		backoff.WithNotify(func(err error, _ time.Duration) { f.Say("trying again: " + hide(err)) }))
	if err != nil {
		f.forget()
	}
	if err != nil && ctx.Err() == nil {
		return "", errors.New(hide(err) + "; offline, `bfcl fetch NAME --from FILE` reads an archive, and --mirror names another server")
	}
	return f.partial(), err
}

// partial returns the name of the archive's file.
func (f *fetcher) partial() string { return filepath.Join(f.work(), f.pin.Commit+".tar.gz") }

// forget removes the archive.
func (f *fetcher) forget() { _ = os.Remove(f.partial()) }

// once requests the archive. Errors that another request cannot mend are
// permanent.
func (f *fetcher) once(ctx context.Context, at *url.URL) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, at.String(), nil)
	if err != nil {
		return backoff.Permanent(err)
	}
	resp, err := f.client.Do(req)
	if err != nil {
		return err
	}
	defer func() { _ = resp.Body.Close() }()
	if resp.StatusCode != http.StatusOK {
		return status(resp)
	}
	return f.take(resp, cancel)
}

func status(resp *http.Response) error {
	err := fmt.Errorf("status %d", resp.StatusCode)
	switch {
	case resp.StatusCode == http.StatusNotFound:
		return backoff.Permanent(errors.New("status 404: the server does not have this commit"))
	case resp.StatusCode == http.StatusTooManyRequests, resp.StatusCode == http.StatusServiceUnavailable:
		if seconds, wrong := strconv.Atoi(resp.Header.Get("Retry-After")); wrong == nil && seconds >= 0 && seconds <= 120 {
			return backoff.RetryAfter(seconds)
		}
		return err
	case resp.StatusCode >= 500:
		return err
	}
	return backoff.Permanent(err)
}

// take writes a response's body to the file.
func (f *fetcher) take(resp *http.Response, cancel func()) error {
	total := max(resp.ContentLength, 0)
	if total > f.limits.download {
		return backoff.Permanent(fmt.Errorf("the archive is too large: %d bytes", total))
	}
	out, err := f.create(f.partial(), os.O_CREATE|os.O_WRONLY|os.O_TRUNC)
	if err != nil {
		return backoff.Permanent(err)
	}
	done, err := f.copy(out, resp.Body, total, cancel)
	if closed := out.Close(); err == nil && closed != nil {
		err = backoff.Permanent(closed)
	}
	if err == nil && total > 0 && done != total {
		err = fmt.Errorf("the connection ended after %d of %d bytes", done, total)
	}
	return err
}

func (f *fetcher) copy(out io.Writer, in io.Reader, total int64, cancel func()) (done int64, err error) {
	watch := time.AfterFunc(stall, cancel)
	defer watch.Stop()
	buffer := make([]byte, 128<<10)
	for {
		n, err := in.Read(buffer)
		if n > 0 {
			watch.Reset(stall)
			if _, failed := out.Write(buffer[:n]); failed != nil {
				return done, backoff.Permanent(failed)
			}
			done += int64(n)
			f.Progress(done, total)
		}
		switch {
		case done > f.limits.download:
			return done, backoff.Permanent(fmt.Errorf("the archive is too large: more than %d bytes", f.limits.download))
		case errors.Is(err, io.EOF):
			return done, nil
		case err != nil:
			return done, err
		}
	}
}
