// Package python models Python's values and reads Python source without
// running it.
//
// It may import the wings from pattern to option.
package python
