package cli

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"
)

func newPause(g *globals) *cobra.Command {
	var (
		all    bool
		reason string
		until  string
	)
	cmd := &cobra.Command{
		Use:   "pause <job>",
		Short: "Stop schedules without deleting anything",
		Args:  cobra.MaximumNArgs(1),
	}
	flags := cmd.Flags()
	flags.BoolVar(&all, "all", false, "pause every job")
	flags.StringVar(&reason, "reason", "", "kept in the audit log")
	flags.StringVar(&until, "until", "", "resume at this time, such as 2026-03-01T09:00")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if all == (len(args) == 1) {
			return fmt.Errorf("%w: name a job or use --all", errUsage)
		}
		var at time.Time
		if until != "" {
			var err error
			if at, err = time.ParseInLocation("2006-01-02T15:04", until, time.Local); err != nil {
				return fmt.Errorf("%w: --until is a time such as 2026-03-01T09:00", errUsage)
			}
		}
		return g.client().Pause(cmd.Context(), append(args, "*")[0], reason, at)
	}
	return cmd
}

func newResume(g *globals) *cobra.Command {
	return &cobra.Command{
		Use:   "resume <job>",
		Short: "Start the schedules of a paused job again",
		Args:  cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return g.client().Resume(cmd.Context(), args[0])
		},
	}
}
