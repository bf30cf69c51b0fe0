package web

import (
	"bufio"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/andybalholm/brotli"
)

var (
	errTooLarge = fmt.Errorf("the page is larger than %d MB", maxBody>>20)
	errEncoding = errors.New("the page could not be decompressed")
)

// readBody reads and decompresses a body. Neither what comes nor what it
// expands to is ever held beyond the limit.
func readBody(body io.Reader, encodings []string) ([]byte, error) {
	r := capped(body)
	names := strings.FieldsFunc(strings.ToLower(strings.Join(encodings, ",")), func(r rune) bool { return r == ',' || r == ' ' || r == '\t' })
	const most = 3
	if len(names) > most {
		return nil, errEncoding
	}
	for i := len(names) - 1; i >= 0; i-- {
		decoded, err := decoder(names[i], r)
		if err != nil {
			return nil, decoding(err)
		}
		r = capped(decoded)
	}
	out, err := io.ReadAll(r)
	if err != nil && len(names) > 0 {
		err = decoding(err)
	}
	return out, err
}

// decoding keeps the errors that are not about the compression.
func decoding(err error) error {
	if errors.Is(err, errTooLarge) || !broken(err) {
		return err
	}
	return fmt.Errorf("%w: %w", errEncoding, err)
}

// broken reports whether the data read are not valid compressed data, as
// opposed to a connection that failed.
func broken(err error) bool {
	var timeout interface{ Timeout() bool }
	return !errors.As(err, &timeout)
}

func decoder(name string, r io.Reader) (io.Reader, error) {
	switch name {
	case "identity":
		return r, nil
	case "gzip", "x-gzip":
		return gzip.NewReader(r)
	case "br":
		return brotli.NewReader(r), nil
	case "deflate":
		return inflater(r)
	}
	return r, nil // an unknown name: requests leaves the body as it is
}

// inflater reads deflate with its zlib header or, as some servers send it,
// without.
func inflater(r io.Reader) (io.Reader, error) {
	in := bufio.NewReader(r)
	head, err := in.Peek(2)
	if err == nil && head[0]&0x0f == 8 && (uint(head[0])<<8|uint(head[1]))%31 == 0 {
		return zlib.NewReader(in)
	}
	return flate.NewReader(in), nil
}

// A limited reader reads no further than a limit.
type limited struct {
	r    io.Reader
	left int64
}

func capped(r io.Reader) io.Reader { return &limited{r, maxBody} }

// Read implements io.Reader.
func (l *limited) Read(p []byte) (int, error) {
	if int64(len(p)) > l.left+1 {
		p = p[:l.left+1]
	}
	n, err := l.r.Read(p)
	if l.left -= int64(n); l.left < 0 {
		return n + int(l.left), errTooLarge
	}
	return n, err
}
