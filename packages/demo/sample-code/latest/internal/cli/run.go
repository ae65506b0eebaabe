package cli

import (
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"tidewater.example/tidewater/internal/client"
)

func newRun(g *globals) *cobra.Command {
	var (
		detach    bool
		env       []string
		pool      string
		waitStart time.Duration
	)
	cmd := &cobra.Command{
		Use:   "run <job>",
		Short: "Start a job now, outside of its schedule",
		Args:  cobra.ExactArgs(1),
	}
	flags := cmd.Flags()
	flags.BoolVar(&detach, "detach", false, "print the run's id and end at once")
	flags.StringArrayVar(&env, "env", nil, "one more environment variable, KEY=VALUE")
	flags.StringVar(&pool, "pool", "", "run in another pool")
	flags.DurationVar(&waitStart, "wait-start", 2*time.Minute, "give up if no worker takes it within this time")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		ctx := cmd.Context()
		variables, err := toVariables(env)
		if err != nil {
			return err
		}
		started, err := g.client().StartRun(ctx, args[0], client.StartRun{Env: variables, Pool: pool})
		if err != nil {
			return err
		}
		if detach {
			fmt.Fprintln(cmd.OutOrStdout(), started.ID)
			return nil
		}
		if err := g.client().WaitForStart(ctx, started.ID, waitStart); err != nil {
			return errNotTaken
		}
		ended, err := g.client().Follow(ctx, started.ID, cmd.OutOrStdout())
		if err != nil {
			return err
		}
		if !g.quiet {
			fmt.Fprintf(cmd.ErrOrStderr(), "run %s %s in %s\n", ended.ID, ended.State, ended.Duration())
		}
		if ended.State != "succeeded" {
			return errRunFailed
		}
		return nil
	}
	return cmd
}

func toVariables(pairs []string) (map[string]string, error) {
	variables := make(map[string]string, len(pairs))
	for _, pair := range pairs {
		key, value, found := strings.Cut(pair, "=")
		if !found || key == "" {
			return nil, fmt.Errorf("%w: --env is KEY=VALUE, not %q", errUsage, pair)
		}
		variables[key] = value
	}
	return variables, nil
}
