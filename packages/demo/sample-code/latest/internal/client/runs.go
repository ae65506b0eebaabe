package client

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"time"
)

// Run is one execution of a job.
type Run struct {
	ID        string    `json:"id"`
	State     string    `json:"state"`
	Attempt   int       `json:"attempt"`
	ExitCode  *int      `json:"exit_code"`
	StartedAt time.Time `json:"started_at"`
	EndedAt   time.Time `json:"ended_at"`
}

// Duration is the time between start and end, in tenths of a second.
func (r Run) Duration() time.Duration {
	return r.EndedAt.Sub(r.StartedAt).Round(100 * time.Millisecond)
}

// StartRun describes a run to start.
type StartRun struct {
	Env  map[string]string `json:"env,omitempty"`
	Pool string            `json:"pool,omitempty"`
}

// LogFilter selects lines of a log.
type LogFilter struct {
	Follow bool
	Since  time.Duration
}

// StartRun starts a run of a job.
func (c *Client) StartRun(ctx context.Context, job string, run StartRun) (Run, error) {
	var started Run
	err := c.do(ctx, http.MethodPost, "/v2/jobs/"+url.PathEscape(job)+"/runs", run, &started)
	return started, err
}

// WaitForStart returns once a worker has taken the run. It fails after the given time.
func (c *Client) WaitForStart(ctx context.Context, id string, limit time.Duration) error {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	for {
		run, err := c.getRun(ctx, id, "started")
		if err != nil || run.State != "waiting" {
			return err
		}
	}
}

// Follow copies what the run prints, and returns the run when it has ended.
func (c *Client) Follow(ctx context.Context, id string, out io.Writer) (Run, error) {
	lines, err := c.Logs(ctx, id, LogFilter{Follow: true})
	if err != nil {
		return Run{}, err
	}
	defer lines.Close()
	if _, err := io.Copy(out, lines); err != nil {
		return Run{}, err
	}
	return c.getRun(ctx, id, "ended")
}

// Logs returns the log of a run, or of a job's newest run, as one JSON object per line.
func (c *Client) Logs(ctx context.Context, name string, filter LogFilter) (io.ReadCloser, error) {
	query := url.Values{"follow": {fmt.Sprint(filter.Follow)}, "since": {filter.Since.String()}}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, c.base+"/v2/logs/"+url.PathEscape(name)+"?"+query.Encode(), nil)
	if err != nil {
		return nil, err
	}
	request.Header.Set("Authorization", "Bearer "+c.token)
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return nil, err
	}
	if response.StatusCode != http.StatusOK {
		response.Body.Close()
		return nil, &Error{Status: response.StatusCode, Message: response.Status}
	}
	return response.Body, nil
}

func (c *Client) getRun(ctx context.Context, id, wait string) (Run, error) {
	var run Run
	err := c.do(ctx, http.MethodGet, "/v2/runs/"+url.PathEscape(id)+"?wait="+wait, nil, &run)
	return run, err
}
