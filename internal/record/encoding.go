package record

import (
	"errors"
	"strings"
)

// byteOrderMark is the mark that editors and PowerShell put before UTF-8.
const byteOrderMark = "\uFEFF"

// UTF8 returns an error if the beginning of a file is UTF-16, which PowerShell's >
// writes.
func UTF8(head string) error {
	for _, mark := range []string{"\xff\xfe", "\xfe\xff"} {
		if strings.HasPrefix(head, mark) {
			return errUTF16
		}
	}
	if len(head) > 1 && (head[0] == 0) != (head[1] == 0) {
		return errUTF16
	}
	return nil
}

var errUTF16 = errors.New("the file is in UTF-16, as PowerShell's > writes it; save it in UTF-8 (Set-Content -Encoding utf8)")
