// Package bench holds measurements and long trials.
package bench
