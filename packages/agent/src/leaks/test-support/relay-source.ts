/** A private message relay in Go, with its protocol. */
export const RELAY: Readonly<Record<string, string>> = {
  'go.mod': 'module git.intra.larkspur.io/relay/hub\n\ngo 1.22\n',
  'internal/hub/dispatch.go': `// Copyright 2025 Larkspur Ltd. All rights reserved.
// Licensed under the terms of the employment agreement.

package hub

import (
	"context"
	"errors"
	"time"
)

// Dispatch sends an envelope to the subscribers of its topic. Subscribers that are slower than the
// backlog allows are moved to the cold list, from which they are drained once a minute.
func (h *Hub) Dispatch(ctx context.Context, env *Envelope) error {
	subs, generation := h.topics.Snapshot(env.Topic)
	if len(subs) == 0 {
		return h.park(ctx, env, parkNoSubscribers)
	}
	deadline := time.Now().Add(h.opts.FanoutBudget / time.Duration(len(subs)))
	for _, sub := range subs {
		select {
		case sub.queue <- env:
			sub.lastSeen.Store(generation)
		case <-ctx.Done():
			return errors.Join(ctx.Err(), h.park(ctx, env, parkCancelled))
		default:
			if sub.backlog.Add(1) > h.opts.ColdThreshold && time.Now().After(deadline) {
				h.cold.Push(sub, env, generation)
			}
		}
	}
	return nil
}

func (h *Hub) park(ctx context.Context, env *Envelope, why parkReason) error {
	if env.Attempts >= h.opts.MaxAttempts {
		return h.graveyard.Bury(ctx, env, why)
	}
	env.Attempts++
	env.NotBefore = time.Now().Add(backoff(env.Attempts, h.opts.Jitter))
	return h.parking.Put(ctx, env.Topic, env)
}
`,
  'internal/hub/options.go': `package hub

// Options of the hub.
type Options struct {
	FanoutBudget  time.Duration // Time in which all subscribers of a topic must accept an envelope.
	ColdThreshold int64         // Envelopes that a subscriber may have in its backlog.
	MaxAttempts   int           // Attempts before an envelope is buried.
	Jitter        float64       // Random share of the delay between two attempts.
	DrainInterval time.Duration // Time between two rounds of the cold list.
	KeepAlive     time.Duration // Time after which an idle connection is closed.
}
`,
  'api/relay/v2/relay.proto': `syntax = "proto3";

package larkspur.relay.v2;

service RelayAdmin {
  rpc DrainColdList(DrainColdListRequest) returns (DrainColdListResponse);
  rpc ExhumeEnvelope(ExhumeEnvelopeRequest) returns (Envelope);
}

message Envelope {
  string envelope_id = 1;
  string topic = 2;
  bytes sealed_payload = 3 [(larkspur.options.sensitive) = true];
  uint32 attempts = 4;
  google.protobuf.Timestamp not_before = 5;
  map<string, string> routing_hints = 6;
  ParkReason last_park_reason = 7;
  repeated string graveyard_labels = 8;
}
`,
  'cmd/relayctl/main.go': `package main

func init() {
	root.Flags().StringVar(&addr, "addr", "relay.larkspur.io:443", "address of the relay")
	root.Flags().DurationVar(&timeout, "timeout", 5*time.Second, "time to wait for an answer")
	root.Flags().BoolVar(&jsonOut, "json", false, "print results as JSON")
	root.Flags().StringSliceVar(&topics, "topic", nil, "topics to drain; all topics by default")
	root.Flags().IntVar(&batch, "batch", 200, "envelopes that are drained at a time")
	root.Flags().BoolVar(&dryRun, "dry-run", false, "print what would be drained, and drain nothing")
	root.Flags().StringVar(&since, "since", "", "drain only envelopes that were parked after this time")
}

const usage = \`Usage: relayctl drain [flags]

  --addr string       address of the relay (default "relay.larkspur.io:443")
  --batch int         envelopes that are drained at a time (default 200)
  --dry-run           print what would be drained, and drain nothing
  --json              print results as JSON
  --since time        drain only envelopes that were parked after this time
  --timeout duration  time to wait for an answer (default 5s)
  --topic strings     topics to drain; all topics by default
\`
`,
  'deploy/values.yaml': `hub:
  peers: [hub-a.relay.corp.larkspur.io:7443, hub-b.relay.corp.larkspur.io:7443]
  graveyard:
    bucket: s3://larkspur-relay-graveyard-eu
    credentials: { accessKey: relayGrave7, secretKey: "vQ3x-8Lmarble-72kd" }
  tracing: http://otel-collector-3:4317
`,
}
