// Package kit holds small packages that know nothing about the benchmark:
// flags, safe text, tables, hostile files and addresses.
//
// It imports no other wing.
package kit
