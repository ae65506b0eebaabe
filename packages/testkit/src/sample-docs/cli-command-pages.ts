export const cliCommandPages: Readonly<Record<string, string>> = {
  'cli/overview': `---
title: Command line
description: How the tidewater command is built, and the flags that every command takes.
---

\`\`\`bash
tidewater <command> [arguments] [flags]
\`\`\`

<CardGroup cols={2}>
  <Card title="tidewater run" href="/cli/run">Start a job now and follow it.</Card>
  <Card title="tidewater list" href="/cli/list">Jobs and when they are due.</Card>
  <Card title="tidewater logs" href="/cli/logs">What a run printed.</Card>
  <Card title="tidewater schedule" href="/cli/schedule">Preview and explain schedules.</Card>
</CardGroup>

## Flags of every command

| Flag | Meaning |
| --- | --- |
| \`--url\` | server to talk to; default \`http://127.0.0.1:7420\` |
| \`--token\` | access token; better in the environment |
| \`--output text\` | how results are printed, see [Output formats](/cli/output-formats) |
| \`--quiet\` | print results only, no progress |
| \`--timeout\` | give up after this long; default \`30s\` |

## Where settings come from

A flag wins over an environment variable, which wins over the [configuration file](/cli/config). \`tidewater config show\` prints
every setting together with the place it came from.

## In scripts

Use \`--output json\` and look at the [exit code](/cli/exit-codes). The text for people may change in any release; the JSON only gains
fields.
`,
  'cli/run': `---
title: tidewater run
description: Start a job now, outside of its schedule.
---

\`\`\`bash
tidewater run <job> [flags]
\`\`\`

\`tidewater run\` starts a run, prints what the job prints, and ends when the run does. Press Ctrl-C once to stop watching: the run
goes on. Press it twice to cancel the run.

## Flags

| Flag | Default | Meaning |
| --- | --- | --- |
| \`--output text\` | \`text\` | \`text\`, \`json\` or \`wide\` |
| \`--detach\` | off | print the run's id and end at once |
| \`--env KEY=VALUE\` | none | one more environment variable, may be repeated |
| \`--pool\` | the job's | run in another pool |
| \`--wait-start\` | \`2m\` | give up if no worker takes it within this time |

## Examples

Start a job and follow it:

\`\`\`bash
tidewater run nightly-export --output text
\`\`\`

Start it and only remember its id:

\`\`\`bash
id=$(tidewater run nightly-export --detach --output json | jq -r .id)
tidewater logs "$id" --follow
\`\`\`

Start it with a variable of its own:

\`\`\`bash
tidewater run nightly-export --env DAY=2026-02-28
\`\`\`

## Exit codes

\`tidewater run\` ends with 0 when the run succeeded and with 3 when it failed. The others are in [Exit codes](/cli/exit-codes).

<Note>
  \`--output text\` mixes what the job prints with lines of Tidewater's own. For a file that holds only the job's output, use
  \`tidewater logs --raw\` afterwards.
</Note>
`,
  'cli/schedule': `---
title: tidewater schedule
description: Preview, explain and check schedules.
---

## Preview

\`\`\`bash
tidewater schedule preview <job> [--count 10] [--from 2026-01-01]
\`\`\`

Prints when the job will start, in its own time zone. Days that a [calendar](/guides/calendars) leaves out are shown and marked.

\`\`\`bash
tidewater schedule preview morning-report --count 3 --output text
\`\`\`

\`\`\`text
Mon 2026-02-02 08:00 WET   in 14 hours
Tue 2026-02-03 08:00 WET
Wed 2026-02-04 08:00 WET
\`\`\`

## Explain

\`\`\`bash
tidewater schedule explain "0 6 * * 1-5"
\`\`\`

\`\`\`text
At 06:00, Monday to Friday
\`\`\`

## Check

\`\`\`bash
tidewater schedule check tidewater.yaml
\`\`\`

Reads the file without sending it anywhere. It warns about schedules that never start, jobs that are due in the same minute, and
expressions that probably mean something else, such as \`* 6 * * *\`.
`,
  'cli/list': `---
title: tidewater list
description: See jobs, their last run and their next one.
---

\`\`\`bash
tidewater list [pattern] [flags]
\`\`\`

\`\`\`bash
tidewater list "export-*" --output text
\`\`\`

\`\`\`text
JOB             LAST        ENDED            NEXT
export-orders   succeeded   6 minutes ago    in 9 minutes
export-stock    failed      1 hour ago       in 9 minutes
\`\`\`

## Flags

| Flag | Meaning |
| --- | --- |
| \`--state\` | only jobs whose last run ended so, such as \`--state failed\` |
| \`--paused\` | only paused jobs |
| \`--pool\` | only jobs of this pool |
| \`--sort\` | \`name\`, \`next\` or \`last\`; default \`name\` |
| \`--output text\` | see [Output formats](/cli/output-formats) |

With \`--output wide\` the pool, the time zone and the schedules are shown as well.
`,
  'cli/logs': `---
title: tidewater logs
description: Read what a run printed, now or later.
---

\`\`\`bash
tidewater logs <run or job> [flags]
\`\`\`

Given the name of a job, it shows the newest run.

| Flag | Meaning |
| --- | --- |
| \`--follow\` | keep printing while the run goes on |
| \`--since 10m\` | only lines of the last ten minutes |
| \`--raw\` | the job's bytes and nothing else |
| \`--attempts\` | put a heading above each attempt |

## Attempts

A run that was tried more than once has one log per attempt. \`--attempts\` tells them apart:

\`\`\`text
attempt 1, worker-3, failed with code 1 after 4s
  could not connect to smtp.example.com
attempt 2, worker-1, succeeded after 6s
  sent 214 messages
\`\`\`

## How long they are kept

Thirty days, unless the server was started with another \`--keep-logs\`. A run stays in lists after its log is gone.
`,
  'cli/pause': `---
title: tidewater pause and resume
description: Stop schedules without deleting anything.
---

\`\`\`bash
tidewater pause <job> [--until 2026-03-01T09:00]
tidewater resume <job>
\`\`\`

A paused job is not started by its schedules. Runs that are already going are left alone, and \`tidewater run\` still works.

## Pause everything

\`\`\`bash
tidewater pause --all --reason "database maintenance"
\`\`\`

The reason is shown by \`tidewater list --paused --output text\` and kept in the audit log.

## What happens to the runs in between

They are not made up for. When the job is resumed, the next planned time counts. To catch up, start the job once by hand:

\`\`\`bash
tidewater resume export-orders
tidewater run export-orders
\`\`\`
`,
}
