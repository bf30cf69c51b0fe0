package completion

import (
	"encoding/json"
	"fmt"
)

// TextsFile is the file of a dataset that holds upstream's texts. Verdicts do
// not depend on it.
const TextsFile = "handlers.texts"

// Texts are upstream's own, by dialect and name.
type Texts map[string]map[string]string

// ReadTexts reads a TextsFile.
func ReadTexts(data []byte) (Texts, error) {
	var out Texts
	if err := json.Unmarshal(data, &out); err != nil {
		return nil, fmt.Errorf("%s: %w", TextsFile, err)
	}
	return out, nil
}
