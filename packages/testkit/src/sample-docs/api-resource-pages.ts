export const apiResourcePages: Readonly<Record<string, string>> = {
  'api/overview': `---
title: API overview
description: Base address, formats and limits of the HTTP API.
---

The API is served by the server itself, under \`/v2\`:

\`\`\`bash
curl -H "Authorization: Bearer $TIDEWATER_TOKEN" https://tidewater.internal/v2/jobs
\`\`\`

Bodies are JSON in UTF-8. Times are ISO 8601 in UTC with milliseconds. Fields that you do not know may appear at any time; ignore
them.

<CardGroup cols={2}>
  <Card title="Jobs" href="/api/jobs">Read and apply definitions.</Card>
  <Card title="Runs" href="/api/runs">Start, watch and cancel.</Card>
  <Card title="Schedules" href="/api/schedules">Preview and pause.</Card>
  <Card title="Webhook events" href="/api/webhooks">Be told instead of asking.</Card>
</CardGroup>

## Limits

A token may make 600 requests a minute. Every answer carries \`RateLimit-Remaining\`; beyond the limit the answer is 429 with
\`Retry-After\` in seconds.

## Versions

\`/v2\` stays until there is a \`/v3\` and a year beyond. \`/v1\` was removed in Tidewater 2.2; see the [release notes](/changelog/releases).
`,
  'api/jobs': `---
title: Jobs
description: Read job definitions and apply new ones.
---

## List jobs

\`\`\`http
GET /v2/jobs?pool=default&limit=50
\`\`\`

<ParamField query="pool" type="string">
  Only jobs of this pool.
</ParamField>
<ParamField query="limit" type="integer" default="50">
  Between 1 and 200. See [Pagination](/api/pagination).
</ParamField>

## The job object

\`\`\`json
{
  "name": "nightly-export",
  "command": ["./export.sh"],
  "timeout_seconds": 900,
  "pool": "default",
  "paused": false,
  "next_run_at": "2026-02-03T02:00:00.000Z"
}
\`\`\`

## Apply

\`\`\`http
PUT /v2/jobs
Content-Type: application/yaml
\`\`\`

The body is a \`tidewater.yaml\`. What the file does not name is removed, unless you add \`?prune=false\`. The answer lists what was
created, changed and removed; with \`?dry_run=true\` nothing is.

| Status | When |
| --- | --- |
| 200 | applied |
| 409 | somebody applied another version since the one in \`If-Match\` |
| 422 | the file has mistakes; see [Errors](/api/errors) |
`,
  'api/runs': `---
title: Runs
description: Start, watch and cancel runs.
---

## Start a run

\`\`\`bash
curl -X POST https://tidewater.internal/v2/jobs/nightly-export/runs \\
  -H "Authorization: Bearer $TIDEWATER_TOKEN" \\
  -H "Idempotency-Key: export-2026-02-03" \\
  -d '{"env": {"DAY": "2026-02-03"}}'
\`\`\`

The answer is 201 with the run, in state \`waiting\`. The same key with the same body answers with the same run for 24 hours. This is
what \`tidewater run --detach\` does.

## The run object

<ResponseField name="id" type="string">
  Sorts by the time of creation.
</ResponseField>
<ResponseField name="state" type="string">
  One of the states in [Concepts](/concepts#run).
</ResponseField>
<ResponseField name="attempt" type="integer">
  Counts from 1.
</ResponseField>
<ResponseField name="exit_code" type="integer or null">
  Of the last attempt; null while it is going and for jobs that are calls.
</ResponseField>

## Wait for the end

\`\`\`http
GET /v2/runs/01J8Z4?wait=30
\`\`\`

Answers when the run has ended, or after 30 seconds with the state of the moment. Ask again until the state is final, or use a
[webhook](/guides/webhooks).

## Cancel

\`\`\`http
POST /v2/runs/01J8Z4/cancel
\`\`\`

The worker sends SIGTERM, and SIGKILL ten seconds later. Cancelling a run that has ended answers 409.
`,
  'api/schedules': `---
title: Schedules
description: Ask when jobs will start, and pause them.
---

## Preview

\`\`\`http
GET /v2/jobs/morning-report/schedule?from=2026-03-27&count=4
\`\`\`

\`\`\`json
{
  "timezone": "Europe/Lisbon",
  "runs": [
    { "at": "2026-03-27T08:00:00.000Z" },
    { "at": "2026-03-30T07:00:00.000Z" }
  ]
}
\`\`\`

Times are in UTC. The second one is an hour earlier because the clocks have changed; see [Time zones](/guides/time-zones).

## Pause and resume

\`\`\`http
PUT /v2/jobs/morning-report/paused
\`\`\`

\`\`\`json
{ "paused": true, "until": "2026-03-01T09:00:00.000Z", "reason": "holidays" }
\`\`\`

\`until\` may be left out. Resume with \`{"paused": false}\`. The command line does the same with [tidewater pause](/cli/pause).
`,
}
