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

// A download is an archive being downloaded. If it is interrupted, its file is
// kept, with the server's version mark beside it.
type download struct {
	f    *fetcher
	at   *url.URL
	path string
}

// download gets the archive, continuing an earlier download, and returns its
// file.
func (f *fetcher) download(ctx context.Context) (string, error) {
	at, err := f.address()
	if err != nil {
		return "", err
	}
	d := &download{f: f, at: at, path: f.partial()}
	f.Say(fmt.Sprintf("downloading upstream's commit %.12s from %s", f.pin.Commit, at.Host))
	waits := backoff.NewExponentialBackOff()
	waits.InitialInterval, waits.MaxInterval = f.pause, 30*f.pause
	_, err = backoff.Retry(ctx, func() (struct{}, error) { return struct{}{}, d.once(ctx) },
		backoff.WithBackOff(waits), backoff.WithMaxTries(tries), backoff.WithMaxElapsedTime(0),
		backoff.WithNotify(func(err error, _ time.Duration) { f.Say("trying again: " + d.hide(err)) }))
	if err != nil && ctx.Err() == nil {
		hint := "; offline, `bfcl fetch NAME --from FILE` reads an archive or a checkout, and --mirror names another server"
		if size(d.path) > 0 {
			hint = "; the part downloaded is kept: run the command again to continue"
		}
		return "", errors.New(d.hide(err) + hint)
	}
	return d.path, err
}

// hide removes the parts of an address that may hold a user's secrets.
func (d *download) hide(err error) string {
	text := err.Error()
	var asked *url.Error
	if errors.As(err, &asked) {
		text = asked.Err.Error()
	}
	return fmt.Sprintf("download from %s: %s", d.at.Host, text)
}

func size(path string) int64 {
	info, err := os.Stat(path)
	if err != nil {
		return 0
	}
	return info.Size()
}

// partial returns the name of the archive's file.
func (f *fetcher) partial() string { return filepath.Join(f.work(), f.pin.Commit+".tar.gz") }

// mark returns the name of the file with the server's version mark.
func (d *download) mark() string { return d.path + ".version" }

// forget removes the archive.
func (f *fetcher) forget() {
	d := download{path: f.partial()}
	_ = os.Remove(d.path)
	_ = os.Remove(d.mark())
}

// once requests the part that is missing. Errors that another request cannot
// mend are permanent.
func (d *download) once(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	have, version := size(d.path), ""
	if mark, err := os.ReadFile(d.mark()); err == nil {
		version = string(mark)
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, d.at.String(), nil)
	if err != nil {
		return backoff.Permanent(err)
	}
	if have > 0 && version != "" {
		req.Header.Set("Range", fmt.Sprintf("bytes=%d-", have))
		req.Header.Set("If-Range", version)
	}
	resp, err := d.f.client.Do(req)
	if err != nil {
		return err
	}
	defer func() { _ = resp.Body.Close() }()
	switch {
	case resp.StatusCode == http.StatusPartialContent && strings.HasPrefix(resp.Header.Get("Content-Range"), fmt.Sprintf("bytes %d-", have)):
		return d.take(resp, have, cancel)
	case resp.StatusCode == http.StatusOK:
		return d.take(resp, 0, cancel)
	case resp.StatusCode == http.StatusPartialContent || resp.StatusCode == http.StatusRequestedRangeNotSatisfiable:
		d.f.forget()
		return fmt.Errorf("the server cannot continue the download (status %d)", resp.StatusCode)
	}
	return status(resp)
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

// take writes a response's body to the file, beginning at a position.
func (d *download) take(resp *http.Response, from int64, cancel func()) error {
	total := int64(0)
	if resp.ContentLength > 0 {
		total = from + resp.ContentLength
	}
	if total > d.f.limits.download {
		return backoff.Permanent(fmt.Errorf("the archive is too large: %d bytes", total))
	}
	flag := os.O_CREATE | os.O_WRONLY | os.O_APPEND
	if from == 0 {
		flag = os.O_CREATE | os.O_WRONLY | os.O_TRUNC
		if err := d.keepVersion(resp); err != nil {
			return backoff.Permanent(err)
		}
	}
	out, err := d.f.create(d.path, flag)
	if err != nil {
		return backoff.Permanent(err)
	}
	done, err := d.copy(out, resp.Body, from, total, cancel)
	if closed := out.Close(); err == nil && closed != nil {
		err = backoff.Permanent(closed)
	}
	if err == nil && total > 0 && done != total {
		err = fmt.Errorf("the connection ended after %d of %d bytes", done, total)
	}
	return err
}

// keepVersion keeps the mark by which the server recognizes its version. Weak
// marks are not enough to continue a download.
func (d *download) keepVersion(resp *http.Response) error {
	version := resp.Header.Get("ETag")
	if strings.HasPrefix(version, "W/") {
		version = ""
	}
	if version = cmp.Or(version, resp.Header.Get("Last-Modified")); version == "" {
		_ = os.Remove(d.mark())
		return nil
	}
	return os.WriteFile(d.mark(), []byte(version), 0o600)
}

func (d *download) copy(out io.Writer, in io.Reader, done, total int64, cancel func()) (int64, error) {
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
			d.f.Progress(done, total)
		}
		switch {
		case done > d.f.limits.download:
			return done, backoff.Permanent(fmt.Errorf("the archive is too large: more than %d bytes", d.f.limits.download))
		case errors.Is(err, io.EOF):
			return done, nil
		case err != nil:
			return done, err
		}
	}
}
