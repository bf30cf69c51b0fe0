package report

import (
	"slices"
	"strings"
)

// shortNames returns the part by which each name differs from the others: runs of
// one model by their folders, and folders by what is not common to all paths.
// Names that would not differ stay as they are.
func shortNames(names []string) []string {
	models, paths := make([]string, len(names)), make([]string, len(names))
	for i, name := range names {
		models[i] = name
		if at := strings.LastIndex(name, " ("); at > 0 && strings.HasSuffix(name, ")") {
			models[i], paths[i] = name[:at], name[at+2:len(name)-1]
		}
	}
	if distinct(models) {
		return models
	}
	if slices.Max(models) == slices.Min(models) && distinct(paths) && !slices.Contains(paths, "") {
		return unlike(paths)
	}
	return names
}

func distinct(names []string) bool {
	sorted := slices.Sorted(slices.Values(names))
	return len(slices.Compact(sorted)) == len(names)
}

// unlike takes the folders from paths that begin or end all of them.
func unlike(paths []string) []string {
	parts := make([][]string, len(paths))
	for i, path := range paths {
		parts[i] = strings.FieldsFunc(path, func(r rune) bool { return r == '/' || r == '\\' })
	}
	for range 2 { // from the end, then from the beginning
		for slices.IndexFunc(parts, func(p []string) bool { return len(p) < 2 || p[len(p)-1] != parts[0][len(parts[0])-1] }) < 0 {
			for i := range parts {
				parts[i] = parts[i][:len(parts[i])-1]
			}
		}
		for i := range parts {
			slices.Reverse(parts[i])
		}
	}
	out := make([]string, len(paths))
	for i := range parts {
		out[i] = strings.Join(parts[i], "/")
	}
	if !distinct(out) {
		return paths
	}
	return out
}
