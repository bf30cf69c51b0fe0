package completion

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gobfcl/bfcl/internal/plainfile"
	"github.com/gobfcl/bfcl/internal/pose/jinja"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// maxFile bounds a template or a configuration.
const maxFile = 64 << 20

// Upstream is the path that stands for upstream's own handlers.
const Upstream = "upstream"

const configFile = "tokenizer_config.json"

// templateFiles are the files in which transformers keeps a separate chat
// template.
var templateFiles = []string{"chat_template.jinja", "chat_template.json"}

// A source has a model's chat templates by name, and what else its folder says.
type source struct {
	file      string
	templates map[string]string
	config    *pyval.Dict // tokenizer_config.json; empty if there is none
	context   int         // config.json's max_position_embeddings; 0 if there is none
}

// find reads the templates at a path: a .jinja file, a tokenizer_config.json
// or chat_template.json, or a model's folder.
func find(path string) (*source, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, fmt.Errorf("chat template: %w", err)
	}
	s := &source{file: path, templates: map[string]string{}, config: pyval.NewDict(0)}
	if !info.IsDir() {
		return s, s.readFile(path)
	}
	if err := s.readConfig(path); err != nil {
		return nil, err
	}
	for _, name := range templateFiles {
		file := filepath.Join(path, name)
		if _, err := os.Stat(file); err == nil {
			s.file = file
			return s, s.readTemplate(file)
		}
	}
	s.file = filepath.Join(path, configFile)
	if err := s.take(s.config); err != nil {
		return nil, err
	}
	return s, nil
}

// readFile reads a template's file, and the tokenizer's configuration next to
// it, which has the special tokens.
func (s *source) readFile(path string) error {
	if strings.EqualFold(filepath.Ext(path), ".json") && filepath.Base(path) != templateFiles[1] {
		v, err := readObject(path)
		if err != nil {
			return err
		}
		s.config = v
		s.context = contextOf(filepath.Dir(path))
		return s.take(v)
	}
	if err := s.readConfig(filepath.Dir(path)); err != nil {
		return err
	}
	return s.readTemplate(path)
}

func (s *source) readConfig(folder string) error {
	v, err := readObject(filepath.Join(folder, configFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	s.config, s.context = v, contextOf(folder)
	return nil
}

func (s *source) readTemplate(path string) error {
	if filepath.Ext(path) == ".json" {
		v, err := readObject(path)
		if err != nil {
			return err
		}
		return s.take(v)
	}
	text, err := plainfile.Read(path, maxFile)
	if err != nil {
		return fmt.Errorf("chat template: %w", err)
	}
	s.templates[""] = string(text)
	return nil
}

// take takes the templates from a configuration: one text, or several with
// names.
func (s *source) take(config *pyval.Dict) error {
	v, _ := config.GetStr("chat_template")
	switch v := v.(type) {
	case pyval.Str:
		s.templates[""] = string(v)
	case *pyval.List:
		for _, item := range v.Items {
			d, ok := item.(*pyval.Dict)
			if !ok {
				return fmt.Errorf("%s: chat_template must be a list of objects with a name and a template, not of %s", s.file, pyval.TypeName(item))
			}
			s.templates[str(d, "name")] = str(d, "template")
		}
	}
	if len(s.templates) == 0 {
		return fmt.Errorf("%s has no chat_template: give the model's chat_template.jinja, or the folder that holds it", s.file)
	}
	return nil
}

func readObject(path string) (*pyval.Dict, error) {
	data, err := plainfile.Read(path, maxFile)
	if err != nil {
		return nil, fmt.Errorf("chat template: %w", err)
	}
	v, err := pyval.ParseJSON(string(data))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	d, ok := v.(*pyval.Dict)
	if !ok {
		return nil, fmt.Errorf("%s: must be a JSON object, not %s", path, pyval.TypeName(v))
	}
	return d, nil
}

// contextOf returns how many tokens the model's configuration says its context
// has, 0 if the folder has no configuration.
func contextOf(folder string) int {
	d, err := readObject(filepath.Join(folder, "config.json"))
	if err != nil {
		return 0
	}
	n, _ := d.GetStr("max_position_embeddings")
	i, ok := n.(pyval.Int)
	if !ok {
		return 0
	}
	tokens, _ := i.Int64()
	return int(min(max(tokens, 0), 1<<30))
}

func str(d *pyval.Dict, key string) string {
	s, _ := d.Text(key)
	return s
}

// specialTokens are the names of the tokens that transformers passes to
// templates.
var specialTokens = []string{"bos_token", "eos_token", "unk_token", "sep_token", "pad_token", "cls_token", "mask_token"}

// tokens returns the special tokens in the configuration, where each is a text
// or an object with one.
func (s *source) tokens() *pyval.Dict {
	out := pyval.NewDict(len(specialTokens))
	for _, name := range specialTokens {
		v, _ := s.config.GetStr(name)
		if d, ok := v.(*pyval.Dict); ok {
			v = pyval.Str(str(d, "content"))
		}
		if text, ok := v.(pyval.Str); ok {
			out.SetStr(name, text)
		}
	}
	return out
}

// parse reads the templates.
func (s *source) parse(o jinja.Options) (map[string]*jinja.Template, error) {
	out := map[string]*jinja.Template{}
	for _, name := range slices.Sorted(maps.Keys(s.templates)) {
		called := s.file
		if name != "" {
			called += " (" + name + ")"
		}
		t, err := jinja.Parse(called, s.templates[name], o)
		if err != nil {
			return nil, fmt.Errorf("chat template %w", err)
		}
		out[name] = t
	}
	return out, nil
}

// digest returns the SHA-256 of the templates, in hex.
func (s *source) digest() string {
	h := sha256.New()
	for _, name := range slices.Sorted(maps.Keys(s.templates)) {
		_, _ = fmt.Fprintf(h, "%s\x00%s\x00", name, s.templates[name])
	}
	return fmt.Sprintf("%x", h.Sum(nil))
}

// Name returns the name in records of the templates at a path: the path's last
// part and the beginning of their digest. For templates that cannot be read it
// is only the last part.
func Name(path string) string {
	if path == "" || path == Upstream {
		return path
	}
	name := filepath.Base(path)
	s, err := find(path)
	if err != nil {
		return name
	}
	const enough = 16
	return name + " sha256:" + s.digest()[:enough]
}
