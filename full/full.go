// Package full links what the command bfcl can do and most tests do not need: a
// database, which carries out the statements of the category sql, and the Model
// Context Protocol, over which agents call functions. Import it beside package
// bfcl:
//
//	import _ "github.com/gobfcl/bfcl/full"
package full

import (
	_ "github.com/gobfcl/bfcl/internal/world/endpoint/mcptools" // the SDK of the protocol
	_ "github.com/gobfcl/bfcl/internal/world/sqlrun"            // SQLite
)
