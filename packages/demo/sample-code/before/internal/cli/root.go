// Package cli contains the commands of the tidewater program.
package cli

import (
	"context"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/spf13/cobra"

	"tidewater.example/tidewater/internal/client"
)

const defaultURL = "http://127.0.0.1:7420"

// globals are the values of the flags that every command takes.
type globals struct {
	url     string
	token   string
	output  string
	quiet   bool
	timeout time.Duration
}

// Main runs one command and returns its exit code.
func Main(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	root := newRoot()
	root.SetArgs(args)
	root.SetOut(stdout)
	root.SetErr(stderr)
	if err := root.ExecuteContext(ctx); err != nil {
		fmt.Fprintln(stderr, "tidewater:", err)
		return exitCode(ctx, err)
	}
	return exitDone
}

func newRoot() *cobra.Command {
	var g globals
	root := &cobra.Command{
		Use:           "tidewater",
		Short:         "Run recurring work on time",
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	flags := root.PersistentFlags()
	flags.StringVar(&g.url, "url", fromEnv("TIDEWATER_URL", defaultURL), "server to talk to")
	flags.StringVar(&g.token, "token", os.Getenv("TIDEWATER_TOKEN"), "access token; better in the environment")
	flags.StringVar(&g.output, "output", fromEnv("TIDEWATER_OUTPUT", "text"), "how results are printed: text, wide or json")
	flags.BoolVar(&g.quiet, "quiet", false, "print results only, no progress")
	flags.DurationVar(&g.timeout, "timeout", 30*time.Second, "give up after this long")
	root.AddCommand(
		newRun(&g),
		newList(&g),
		newLogs(&g),
		newPause(&g),
		newResume(&g),
		newDoctor(&g),
	)
	return root
}

func (g *globals) client() *client.Client {
	return client.New(g.url, g.token, g.timeout)
}

func fromEnv(name, fallback string) string {
	if value := os.Getenv(name); value != "" {
		return value
	}
	return fallback
}
