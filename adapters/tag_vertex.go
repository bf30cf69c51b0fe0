//go:build vertex

package adapters

import (
	"context"

	"golang.org/x/oauth2/google"
)

func init() {
	googleToken = func() (func() (string, error), error) {
		found, err := google.FindDefaultCredentials(context.Background(), "https://www.googleapis.com/auth/cloud-platform")
		if err != nil {
			return nil, err
		}
		return func() (string, error) {
			token, err := found.TokenSource.Token()
			if err != nil {
				return "", err
			}
			return token.AccessToken, nil
		}, nil
	}
}
