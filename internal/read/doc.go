// Package read turns models' answers into calls.
//
// It may import the wings from pattern to pose.
package read
