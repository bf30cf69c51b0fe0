// Command sbom prints the contents of released binaries as a CycloneDX
// document: the modules that the binaries name, with the licences that
// docs/licences.md lists.
//
//	sbom -version=v1.2.3 -licences=docs/licences.md dist/bfcl_*
package main

import (
	"bufio"
	"cmp"
	"debug/buildinfo"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"runtime/debug"
	"slices"
	"strings"

	cdx "github.com/CycloneDX/cyclonedx-go"
)

func main() {
	version := flag.String("version", "", "the release's `version`")
	licences := flag.String("licences", "", "the `file` that lists the modules' licences")
	flag.Parse()
	if err := write(os.Stdout, *version, *licences, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "sbom:", err)
		os.Exit(1)
	}
}

func write(out io.Writer, version, licences string, binaries []string) error {
	known, err := readLicences(licences)
	if err != nil {
		return err
	}
	modules, main, err := readModules(binaries)
	if err != nil {
		return err
	}
	var components []cdx.Component
	for _, path := range slices.Sorted(maps.Keys(modules)) {
		m := modules[path]
		names, ok := known[path+" "+m.Version]
		if !ok {
			return fmt.Errorf("%s has no line for %s %s", licences, path, m.Version)
		}
		components = append(components, component(cdx.ComponentTypeLibrary, path, m.Version, names))
	}
	doc := cdx.NewBOM()
	root := component(cdx.ComponentTypeApplication, main, version, []string{"Apache-2.0"})
	doc.Metadata = &cdx.Metadata{Component: &root}
	doc.Components = &components
	return cdx.NewBOMEncoder(out, cdx.BOMFileFormatJSON).SetPretty(true).Encode(doc)
}

func component(kind cdx.ComponentType, path, version string, licences []string) cdx.Component {
	url := "pkg:golang/" + path + "@" + version
	c := cdx.Component{Type: kind, BOMRef: url, Name: path, Version: version, PackageURL: url}
	var choices cdx.Licenses
	for _, id := range licences {
		choices = append(choices, cdx.LicenseChoice{License: &cdx.License{ID: id}})
	}
	c.Licenses = &choices
	return c
}

// readModules returns the union of the modules in all binaries, which differ by
// platform.
func readModules(binaries []string) (modules map[string]*debug.Module, main string, err error) {
	modules = map[string]*debug.Module{}
	for _, path := range binaries {
		info, err := buildinfo.ReadFile(path)
		if err != nil {
			return nil, "", err
		}
		main = info.Main.Path
		for _, m := range info.Deps {
			m = cmp.Or(m.Replace, m)
			modules[m.Path] = m
		}
	}
	if main == "" {
		return nil, "", fmt.Errorf("name the binaries")
	}
	return modules, main, nil
}

// readLicences reads lines of a module, its version and its licences.
func readLicences(path string) (map[string][]string, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	known := map[string][]string{}
	lines := bufio.NewScanner(file)
	for lines.Scan() {
		words := strings.Fields(strings.ReplaceAll(lines.Text(), ",", ""))
		if len(words) > 2 && strings.HasPrefix(words[1], "v") {
			known[words[0]+" "+words[1]] = words[2:]
		}
	}
	return known, lines.Err()
}
