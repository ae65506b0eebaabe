package cli

import (
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"tidewater.example/tidewater/internal/client"
	"tidewater.example/tidewater/internal/logline"
)

func newLogs(g *globals) *cobra.Command {
	var (
		follow   bool
		since    time.Duration
		raw      bool
		asJSON   bool
		attempts bool
	)
	cmd := &cobra.Command{
		Use:   "logs <run or job>",
		Short: "Read what a run printed, now or later",
		Args:  cobra.ExactArgs(1),
	}
	flags := cmd.Flags()
	flags.BoolVar(&follow, "follow", false, "keep printing while the run goes on")
	flags.DurationVar(&since, "since", 0, "only lines of this period, such as 10m")
	flags.BoolVar(&raw, "raw", false, "the job's bytes and nothing else")
	flags.BoolVar(&asJSON, "json", false, "print each line as a JSON object with its time, attempt, stream and text")
	flags.BoolVar(&attempts, "attempts", false, "put a heading above each attempt")
	cmd.MarkFlagsMutuallyExclusive("raw", "json", "attempts")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		lines, err := g.client().Logs(cmd.Context(), args[0], client.LogFilter{Follow: follow, Since: since})
		if err != nil {
			return err
		}
		defer lines.Close()
		write := writeText
		switch {
		case raw:
			write = writeRaw
		case asJSON:
			write = logline.WriteJSON
		case attempts:
			write = withHeadings(writeText)
		}
		return logline.Each(lines, func(line logline.Line) error { return write(cmd.OutOrStdout(), line) })
	}
	return cmd
}

func writeText(out io.Writer, line logline.Line) error {
	_, err := fmt.Fprintln(out, line.Text)
	return err
}

func writeRaw(out io.Writer, line logline.Line) error {
	_, err := io.WriteString(out, line.Raw)
	return err
}

func withHeadings(write func(io.Writer, logline.Line) error) func(io.Writer, logline.Line) error {
	attempt := 0
	return func(out io.Writer, line logline.Line) error {
		if line.Attempt != attempt {
			attempt = line.Attempt
			fmt.Fprintf(out, "attempt %d\n", attempt)
		}
		return write(out, line)
	}
}
