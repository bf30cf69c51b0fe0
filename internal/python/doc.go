// Package python models Python's values and reads Python source without
// running it.
//
// It may import kit.
package python
