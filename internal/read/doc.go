// Package read turns models' answers into calls.
//
// It may import the wings from kit to pose.
package read
