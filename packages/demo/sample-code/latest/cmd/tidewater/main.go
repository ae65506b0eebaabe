// Command tidewater starts, lists and observes the jobs of a Tidewater server.
package main

import (
	"context"
	"os"
	"os/signal"

	"tidewater.example/tidewater/internal/cli"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	code := cli.Main(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}
