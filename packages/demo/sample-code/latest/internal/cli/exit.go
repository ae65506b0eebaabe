package cli

import (
	"context"
	"errors"

	"tidewater.example/tidewater/internal/client"
)

// The exit codes are part of the interface: scripts depend on them.
const (
	exitDone      = 0
	exitOther     = 1
	exitUsage     = 2
	exitRunFailed = 3
	exitNotFound  = 4
	exitDenied    = 5
	exitTimeout   = 6
	exitInterrupt = 130
)

var (
	errUsage     = errors.New("usage")
	errRunFailed = errors.New("the run failed")
	errNotTaken  = errors.New("no worker took the run in time")
)

func exitCode(ctx context.Context, err error) int {
	var failed *client.Error
	switch {
	case ctx.Err() != nil:
		return exitInterrupt
	case errors.Is(err, errUsage):
		return exitUsage
	case errors.Is(err, errRunFailed):
		return exitRunFailed
	case errors.Is(err, errNotTaken), errors.Is(err, context.DeadlineExceeded):
		return exitTimeout
	case errors.As(err, &failed) && failed.Status == 404:
		return exitNotFound
	case errors.As(err, &failed) && (failed.Status == 401 || failed.Status == 403):
		return exitDenied
	}
	return exitOther
}
