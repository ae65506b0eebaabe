package cli

import (
	"fmt"
	"sort"
	"time"

	"github.com/spf13/cobra"

	"tidewater.example/tidewater/internal/client"
)

func newList(g *globals) *cobra.Command {
	var (
		filter client.JobFilter
		order  string
	)
	cmd := &cobra.Command{
		Use:   "list [pattern]",
		Short: "See jobs, their last run and their next one",
		Args:  cobra.MaximumNArgs(1),
	}
	flags := cmd.Flags()
	flags.StringVar(&filter.State, "state", "", "only jobs whose last run ended so")
	flags.BoolVar(&filter.Paused, "paused", false, "only paused jobs")
	flags.StringVar(&filter.Pool, "pool", "", "only jobs of this pool")
	flags.StringVar(&order, "sort", "name", "name, next or last")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if len(args) == 1 {
			filter.Pattern = args[0]
		}
		jobs, err := g.client().ListJobs(cmd.Context(), filter)
		if err != nil {
			return err
		}
		if err := sortJobs(jobs, order); err != nil {
			return err
		}
		return printTable(cmd.OutOrStdout(), g.output, jobList(jobs), time.Now())
	}
	return cmd
}

func sortJobs(jobs []client.Job, order string) error {
	less, known := map[string]func(a, b client.Job) bool{
		"name": func(a, b client.Job) bool { return a.Name < b.Name },
		"next": func(a, b client.Job) bool { return a.Next.Before(b.Next) },
		"last": func(a, b client.Job) bool { return a.Last.EndedAt.After(b.Last.EndedAt) },
	}[order]
	if !known {
		return fmt.Errorf("%w: --sort is name, next or last, not %q", errUsage, order)
	}
	sort.SliceStable(jobs, func(i, j int) bool { return less(jobs[i], jobs[j]) })
	return nil
}

type jobList []client.Job

func (jobList) columns(wide bool) []string {
	columns := []string{"JOB", "LAST", "ENDED", "NEXT"}
	if wide {
		columns = append(columns, "POOL", "TIME ZONE")
	}
	return columns
}

func (jobs jobList) rows(wide bool, now time.Time) [][]string {
	rows := make([][]string, 0, len(jobs))
	for _, job := range jobs {
		row := []string{job.Name, job.Last.State, ago(job.Last.EndedAt, now), until(job.Next, now)}
		if wide {
			row = append(row, job.Pool, job.TimeZone)
		}
		rows = append(rows, row)
	}
	return rows
}

func until(at, now time.Time) string {
	if at.IsZero() {
		return "paused"
	}
	return "in " + count(int(at.Sub(now).Minutes()), "minute")
}
