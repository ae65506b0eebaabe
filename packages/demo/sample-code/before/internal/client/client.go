// Package client calls the HTTP API of a Tidewater server.
package client

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"time"
)

const (
	maxTries   = 3
	firstDelay = 200 * time.Millisecond
)

// Client calls one server.
type Client struct {
	base  string
	token string
	http  *http.Client
}

// Error is an answer of the server other than success.
type Error struct {
	Status  int    `json:"-"`
	Code    string `json:"code"`
	Message string `json:"message"`
}

func (e *Error) Error() string { return e.Message }

// New returns a client for the server at base. The timeout applies to each request.
func New(base, token string, timeout time.Duration) *Client {
	return &Client{base: strings.TrimRight(base, "/"), token: token, http: &http.Client{Timeout: timeout}}
}

// do sends a request and decodes the answer. It repeats a request that failed.
func (c *Client) do(ctx context.Context, method, path string, body, answer any) error {
	payload, err := json.Marshal(body)
	if err != nil {
		return err
	}
	delay := firstDelay
	for try := 1; ; try++ {
		err := c.once(ctx, method, path, payload, answer)
		if err == nil || try == maxTries {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(delay):
			delay *= 2
		}
	}
}

func (c *Client) once(ctx context.Context, method, path string, payload []byte, answer any) error {
	request, err := http.NewRequestWithContext(ctx, method, c.base+path, bytes.NewReader(payload))
	if err != nil {
		return err
	}
	request.Header.Set("Authorization", "Bearer "+c.token)
	request.Header.Set("Content-Type", "application/json")
	response, err := c.http.Do(request)
	if err != nil {
		return fmt.Errorf("the server at %s does not answer: %w", c.base, err)
	}
	defer response.Body.Close()
	if response.StatusCode >= 300 {
		wrapped := struct {
			Error *Error `json:"error"`
		}{&Error{Message: response.Status}}
		_ = json.NewDecoder(response.Body).Decode(&wrapped)
		wrapped.Error.Status = response.StatusCode
		return wrapped.Error
	}
	return json.NewDecoder(response.Body).Decode(answer)
}
