package pyval

import (
	"io"
	"io/fs"
	"strings"
)

// FileText reads an open file to its end and closes it. Values that ParseJSON
// reads from the text share its memory, so it is read without a second copy.
func FileText(f fs.File) (text string, err error) {
	defer func() {
		if closed := f.Close(); err == nil {
			err = closed
		}
	}()
	info, err := f.Stat()
	if err != nil {
		return "", err
	}
	var b strings.Builder
	const most = 1 << 30 // a wrong size must not cost memory
	b.Grow(int(min(max(info.Size(), 0), most)))
	_, err = io.Copy(&b, f)
	return b.String(), err
}
