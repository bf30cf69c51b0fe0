// Package outside tests what others build with the module: package bfcl in a
// module of theirs, and additions made as the guides of docs/ say.
package outside
