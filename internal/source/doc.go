// Package source reads calls written in Java, JavaScript and XML.
//
// It may import the wings from pattern to python.
package source
