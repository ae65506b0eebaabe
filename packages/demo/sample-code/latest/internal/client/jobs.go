package client

import (
	"context"
	"net/http"
	"net/url"
	"time"
)

// Job is a job with its last run and its next one.
type Job struct {
	Name     string    `json:"name"`
	Pool     string    `json:"pool"`
	TimeZone string    `json:"time_zone"`
	Last     Run       `json:"last"`
	Next     time.Time `json:"next"`
}

// JobFilter selects jobs. Empty fields select all.
type JobFilter struct {
	Pattern string
	State   string
	Pool    string
	Paused  bool
}

// Part is one part of a server and its state.
type Part struct {
	Name    string `json:"name"`
	OK      bool   `json:"ok"`
	Details string `json:"details"`
}

// ListJobs returns the jobs that match the filter.
func (c *Client) ListJobs(ctx context.Context, filter JobFilter) ([]Job, error) {
	query := url.Values{"pattern": {filter.Pattern}, "state": {filter.State}, "pool": {filter.Pool}}
	if filter.Paused {
		query.Set("paused", "true")
	}
	var page struct {
		Jobs []Job `json:"jobs"`
	}
	err := c.do(ctx, http.MethodGet, "/v2/jobs?"+query.Encode(), nil, &page)
	return page.Jobs, err
}

// Pause stops the schedules of a job, or of all jobs if the name is an asterisk.
func (c *Client) Pause(ctx context.Context, job, reason string, until time.Time) error {
	body := map[string]any{"reason": reason}
	if !until.IsZero() {
		body["until"] = until
	}
	return c.do(ctx, http.MethodPost, "/v2/jobs/"+url.PathEscape(job)+"/pause", body, &struct{}{})
}

// Resume starts the schedules of a paused job again.
func (c *Client) Resume(ctx context.Context, job string) error {
	return c.do(ctx, http.MethodPost, "/v2/jobs/"+url.PathEscape(job)+"/resume", nil, &struct{}{})
}

// Health returns the state of each part of the server.
func (c *Client) Health(ctx context.Context) ([]Part, error) {
	var answer struct {
		Parts []Part `json:"parts"`
	}
	err := c.do(ctx, http.MethodGet, "/v2/health", nil, &answer)
	return answer.Parts, err
}
