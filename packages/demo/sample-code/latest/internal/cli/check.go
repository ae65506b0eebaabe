package cli

import (
	"errors"
	"time"

	"github.com/spf13/cobra"

	"tidewater.example/tidewater/internal/client"
)

var errNeedsAttention = errors.New("something needs your attention")

// newCheck reports the state of the server. The command was called doctor until 2.4.
func newCheck(g *globals) *cobra.Command {
	return &cobra.Command{
		Use:   "check",
		Short: "Check the server, its database, its workers and its clock",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			parts, err := g.client().Health(cmd.Context())
			if err != nil {
				return err
			}
			if err := printTable(cmd.OutOrStdout(), g.output, health(parts), time.Now()); err != nil {
				return err
			}
			for _, part := range parts {
				if !part.OK {
					return errNeedsAttention
				}
			}
			return nil
		},
	}
}

type health []client.Part

func (health) columns(bool) []string { return []string{"PART", "STATE", "DETAILS"} }

func (parts health) rows(bool, time.Time) [][]string {
	rows := make([][]string, 0, len(parts))
	for _, part := range parts {
		state := "ok"
		if !part.OK {
			state = "failed"
		}
		rows = append(rows, []string{part.Name, state, part.Details})
	}
	return rows
}
