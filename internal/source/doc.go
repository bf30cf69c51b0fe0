// Package source reads calls written in Java, JavaScript and XML.
//
// It may import the wings from kit to python.
package source
