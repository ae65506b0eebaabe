package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"text/tabwriter"
	"time"
)

// table is a result that can be printed as columns or as JSON.
type table interface {
	columns(wide bool) []string
	rows(wide bool, now time.Time) [][]string
}

// printTable writes a result in the format of --output.
func printTable(out io.Writer, format string, result table, now time.Time) error {
	switch format {
	case "json":
		encoder := json.NewEncoder(out)
		encoder.SetIndent("", "  ")
		return encoder.Encode(result)
	case "text", "wide":
		wide := format == "wide"
		writer := tabwriter.NewWriter(out, 0, 0, 3, ' ', 0)
		writeRow(writer, result.columns(wide))
		for _, row := range result.rows(wide, now) {
			writeRow(writer, row)
		}
		return writer.Flush()
	}
	return fmt.Errorf("%w: --output is text, wide or json, not %q", errUsage, format)
}

func writeRow(out io.Writer, cells []string) {
	for i, cell := range cells {
		if i > 0 {
			fmt.Fprint(out, "\t")
		}
		fmt.Fprint(out, cell)
	}
	fmt.Fprintln(out)
}

// ago describes a time before now, such as "6 minutes ago".
func ago(at, now time.Time) string {
	if at.IsZero() {
		return "never"
	}
	minutes := int(now.Sub(at).Minutes())
	switch {
	case minutes < 1:
		return "now"
	case minutes < 60:
		return count(minutes, "minute") + " ago"
	case minutes < 24*60:
		return count(minutes/60, "hour") + " ago"
	}
	return count(minutes/60/24, "day") + " ago"
}

func count(n int, unit string) string {
	if n == 1 {
		return "1 " + unit
	}
	return fmt.Sprintf("%d %ss", n, unit)
}
