package transport

import (
	"io"
	"log"
)

// discardLog keeps the handshake errors that a test provokes out of its output.
var discardLog = log.New(io.Discard, "", 0)
