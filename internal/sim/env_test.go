package sim_test

import _ "github.com/gobfcl/bfcl/internal/testkit"
