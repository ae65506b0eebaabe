export const getStartedPages: Readonly<Record<string, string>> = {
  introduction: `---
title: Introduction
description: Tidewater runs your recurring work on time and tells you when it did not.
---

Tidewater is a small job-scheduling service. You describe a job once, say when it should happen, and Tidewater starts it,
watches it, tries again when it fails and keeps the log. It is a single binary with one database behind it.

![A schedule hands a run to a worker, and the worker reports back](/images/how-it-works.svg)

## What it is for

Teams reach for Tidewater when a crontab on one machine has become important: nightly exports, invoice runs, cache warmers,
certificate checks. The work itself stays where it is. Tidewater only decides when it starts, and remembers how it ended.

<CardGroup cols={2}>
  <Card title="Quickstart" icon="rocket" href="/quickstart">
    Run a first job in five minutes.
  </Card>
  <Card title="Concepts" icon="compass" href="/concepts">
    Jobs, schedules, runs and workers.
  </Card>
  <Card title="Command line" icon="terminal" href="/cli/overview">
    Everything the CLI can do.
  </Card>
  <Card title="HTTP API" icon="code" href="/api/overview">
    The same, from your own programs.
  </Card>
</CardGroup>

## What it is not

Tidewater is not a workflow engine. A job has no graph of steps and no branches; if one piece of work must follow another, let
the first one start the second through the [API](/api/runs#start-a-run). It is not a queue for user requests either: starting a
run takes about a tenth of a second, which is nothing for a nightly export and too much for a web page.

<Note>
  Coming from cron? [Moving from cron](/guides/migrating-from-cron) turns a crontab into schedules, line by line.
</Note>
`,
  quickstart: `---
title: Quickstart
description: Start the server, define a job and run it, in about five minutes.
---

You need a machine with Linux or macOS and a terminal. Nothing else has to be installed first.

<Steps>
  <Step title="Install the binary">
    \`\`\`bash
    curl -fsSL https://get.tidewater.example/install.sh | sh
    tidewater --version
    \`\`\`
    Other ways are in [Installation](/installation).
  </Step>
  <Step title="Start a server">
    \`\`\`bash
    tidewater dev
    \`\`\`
    The development server listens on port 7420, keeps its data in \`.tidewater/\` and starts one worker.
  </Step>
  <Step title="Describe a job">
    Create \`tidewater.yaml\` in an empty folder:

    \`\`\`yaml tidewater.yaml
    jobs:
      greet:
        command: ["echo", "The tide is coming in"]
        timeout: 30s
    \`\`\`
  </Step>
  <Step title="Run it">
    \`\`\`bash
    tidewater apply
    tidewater run greet --output text
    \`\`\`
  </Step>
</Steps>

You should see the line that the job printed, and then how the run ended:

\`\`\`text
The tide is coming in
run 01J8Z4 succeeded in 0.2s
\`\`\`

## Put it on a schedule

Add a schedule to the job and apply the file again:

\`\`\`yaml tidewater.yaml
jobs:
  greet:
    command: ["echo", "The tide is coming in"]
    timeout: 30s
    schedule: every 10 minutes
\`\`\`

\`tidewater list --output text\` now shows when the next run is due.

## Next

Read [Your first schedule](/guides/first-schedule) for calendars and time zones, or [Retries and backoff](/guides/retries-and-backoff)
for what happens when a job fails.
`,
  installation: `---
title: Installation
description: Packages, containers and building from source.
---

Tidewater is one binary called \`tidewater\`. It is the command line, the server and the worker, depending on how you start it.

<Tabs>
  <Tab title="Script">
    \`\`\`bash
    curl -fsSL https://get.tidewater.example/install.sh | sh
    \`\`\`
  </Tab>
  <Tab title="Homebrew">
    \`\`\`bash
    brew install tidewater/tap/tidewater
    \`\`\`
  </Tab>
  <Tab title="Container">
    \`\`\`bash
    docker run --rm -p 7420:7420 -v tidewater:/data tidewater/tidewater:2.4 server
    \`\`\`
  </Tab>
</Tabs>

## Requirements

| Part | Needs |
| --- | --- |
| Command line | Linux, macOS or Windows, 20 MB of disk |
| Server | 128 MB of memory; SQLite included, PostgreSQL 14 or newer for more than one server |
| Worker | whatever your jobs need, plus 40 MB |

## Verify the download

Every release is signed. The script checks the signature; if you downloaded the archive by hand, check it yourself:

\`\`\`bash
minisign -Vm tidewater-2.4.0-linux-amd64.tar.gz -P RWQtidewaterpublickey
\`\`\`

## Upgrade

Upgrade the server first and the workers afterwards: a server speaks with workers that are one minor version behind, never with
ones that are ahead. Version 2.0 changed the configuration file; see [Upgrading to 2.0](/changelog/upgrade-2-0).

<Warning>
  Do not run two servers on one SQLite file. The second refuses to start, but a file on a network share may not tell it so.
</Warning>
`,
  concepts: `---
title: Concepts
description: The five words that the rest of the documentation uses.
---

![Jobs have schedules, schedules make runs, runs are executed by workers from a pool](/images/concepts.svg)

## Job

A job is a named piece of work: a command to start or an address to call, with a timeout and a retry policy. Jobs live in
\`tidewater.yaml\` and reach the server through \`tidewater apply\`. A job by itself never starts.

## Schedule

A schedule says when a job starts. It is an interval (\`every 10 minutes\`), a cron expression (\`0 6 * * 1-5\`) or a calendar
rule (\`last weekday of the month at 18:00\`). A job may have several schedules or none. See [Your first schedule](/guides/first-schedule).

## Run

A run is one execution of a job. It belongs to a schedule, or to the person who started it with \`tidewater run\`.

| State | Meaning |
| --- | --- |
| \`waiting\` | due, but no worker has taken it yet |
| \`running\` | a worker is executing it |
| \`succeeded\` | the command ended with code 0, or the call answered 2xx |
| \`failed\` | it did not, and no retry is left |
| \`cancelled\` | somebody stopped it |
| \`missed\` | it could not start within its grace period |

A run never leaves one of the last four states. A retry is a new attempt of the same run, not a new run.

## Worker

A worker is a process that executes runs. It asks the server for work, so it needs no open port. Start as many as you like.

## Pool

A pool is a named group of workers. A job names the pool that it wants; without one it goes to \`default\`. Pools keep heavy
work away from urgent work: see [Limiting concurrency](/guides/concurrency#pools).
`,
}
