// Package world holds what calls act on: simulated APIs, executable functions,
// databases, the web.
//
// It may import the wings from pattern to model.
package world
