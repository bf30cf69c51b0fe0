// Package manifest tests the Kubernetes manifests: that Kubernetes knows every
// field, and that fields that must be changed together agree.
package manifest_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	batch "k8s.io/api/batch/v1"
	core "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/yaml"
	strict "sigs.k8s.io/yaml"
)

func TestManifests(t *testing.T) {
	paths, err := filepath.Glob("../../examples/kubernetes/*.yaml")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no manifests: %v", err)
	}
	named := map[string]string{}
	for _, path := range paths {
		f := file{configs: map[string]*core.ConfigMap{}}
		kinds, err := f.check(path)
		if err != nil {
			t.Errorf("%s: %v", path, err)
		}
		for _, job := range f.jobs {
			if other := named[job.Name]; other != "" {
				t.Errorf("%s and %s have a job %s each: who applies both changes one", other, path, job.Name)
			}
			named[job.Name] = path
		}
		t.Logf("%s: %s", path, strings.Join(kinds, ", "))
	}
}

// A file holds what is checked across a manifest's documents.
type file struct {
	jobs    []*batch.Job
	configs map[string]*core.ConfigMap
}

func (f *file) check(path string) (kinds []string, err error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	for in := yaml.NewDocumentDecoder(io.NopCloser(bytes.NewReader(data))); ; {
		buffer := make([]byte, len(data)+1)
		n, err := in.Read(buffer)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
		kind, err := f.read(buffer[:n])
		if err != nil {
			return nil, fmt.Errorf("document %d: %w", len(kinds)+1, err)
		}
		kinds = append(kinds, kind)
	}
	for _, job := range f.jobs {
		if err := f.agrees(job); err != nil {
			return nil, fmt.Errorf("job %s: %w", job.Name, err)
		}
	}
	return kinds, nil
}

func (f *file) read(doc []byte) (string, error) {
	var head struct{ Kind string }
	if err := strict.Unmarshal(doc, &head); err != nil {
		return "", err
	}
	switch head.Kind {
	case "Job":
		job := &batch.Job{}
		f.jobs = append(f.jobs, job)
		return head.Kind, strict.UnmarshalStrict(doc, job)
	case "ConfigMap":
		config := &core.ConfigMap{}
		err := strict.UnmarshalStrict(doc, config)
		f.configs[config.Name] = config
		return head.Kind, err
	case "PersistentVolumeClaim":
		return head.Kind, strict.UnmarshalStrict(doc, &core.PersistentVolumeClaim{})
	}
	return "", fmt.Errorf("a %q is not expected here", head.Kind)
}

// agrees checks an indexed job: it must have as many shards as completions,
// each restarted separately, in a pod that is not restarted in place.
func (f *file) agrees(job *batch.Job) error {
	spec := job.Spec
	if spec.CompletionMode == nil || *spec.CompletionMode != batch.IndexedCompletion {
		return nil
	}
	if spec.Completions == nil || spec.BackoffLimitPerIndex == nil || spec.Template.Spec.RestartPolicy != core.RestartPolicyNever {
		return errors.New("an indexed job needs completions, backoffLimitPerIndex and restartPolicy Never")
	}
	config := f.configs[job.Name]
	if config == nil {
		return fmt.Errorf("there is no ConfigMap %q, as the job is called, with BFCL_SHARDS", job.Name)
	}
	if n, err := strconv.Atoi(config.Data["BFCL_SHARDS"]); err != nil || int32(n) != *spec.Completions {
		return fmt.Errorf("%d completions, and BFCL_SHARDS is %q", *spec.Completions, config.Data["BFCL_SHARDS"])
	}
	for _, c := range spec.Template.Spec.Containers {
		for _, arg := range c.Args {
			if arg == "-resume" {
				return nil
			}
		}
	}
	return errors.New("no container resumes with -resume: a restarted shard would start over")
}
