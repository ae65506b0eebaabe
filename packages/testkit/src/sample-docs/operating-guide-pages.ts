export const operatingGuidePages: Readonly<Record<string, string>> = {
  'guides/secrets': `---
title: Secrets
description: Give a job a password without writing it into a file.
---

Secrets are kept encrypted by the server and handed to a run as environment variables.

<Steps>
  <Step title="Store it">
    \`\`\`bash
    tidewater secret set SMTP_PASSWORD
    \`\`\`
    The value is read from the terminal, or from standard input in a script.
  </Step>
  <Step title="Name it in the job">
    \`\`\`yaml
    jobs:
      send-digest:
        command: ["./digest.sh"]
        secrets: [SMTP_PASSWORD]
    \`\`\`
  </Step>
  <Step title="Use it">
    Inside the job it is \`$SMTP_PASSWORD\`.
  </Step>
</Steps>

## Who can read them

Nobody, through Tidewater. There is no command that prints a secret; \`tidewater secret list\` shows names and dates. A worker gets a
secret only together with a run that names it, over TLS.

## What the log shows

The server replaces the values of a run's secrets in its log with \`•••\`. It can only do that for values of eight characters or
more, and only when they are printed as they are.

<Warning>
  A job that prints a secret in another form, such as Base64, defeats this. Treat logs as if they could be read.
</Warning>
`,
  'guides/webhooks': `---
title: Notifications by webhook
description: Hear about runs the moment they end.
---

Tidewater can call an address of yours when a run changes its state.

\`\`\`yaml
webhooks:
  - url: https://ops.example.com/hooks/tidewater
    events: [run.failed, run.missed]
    jobs: ["send-*", "export-*"]
\`\`\`

Without \`jobs\` it is called for all of them. The body is described in [Webhook events](/api/webhooks).

## Check the signature

Each call carries a signature over the raw body. Compare it before you parse anything:

<CodeGroup>
\`\`\`typescript server.ts
import { verifyWebhook } from '@tidewater/sdk'

const event = verifyWebhook(rawBody, request.headers, process.env.TIDEWATER_WEBHOOK_SECRET)
\`\`\`

\`\`\`python server.py
from tidewater import verify_webhook

event = verify_webhook(raw_body, request.headers, os.environ["TIDEWATER_WEBHOOK_SECRET"])
\`\`\`
</CodeGroup>

## Delivery

A call that is not answered with 2xx within ten seconds is made again: after one minute, ten minutes, an hour and six hours. After
that it is dropped and shown by \`tidewater webhook failures\`.

<Tip>
  Answer first and work afterwards. An endpoint that takes longer than ten seconds hears everything twice.
</Tip>
`,
  'guides/deploying': `---
title: Running in production
description: A server, some workers, a database and a backup.
---

![Two servers share a database; workers connect to either](/images/deployment.svg)

The development server keeps everything in one process. In production the parts are separate.

## Server

\`\`\`bash
tidewater server --database postgres://tidewater@db.internal/tidewater --listen 0.0.0.0:7420
\`\`\`

Run two of them behind a load balancer if you cannot bear a minute without schedules. They agree through the database which one is
leading; the other takes over within ten seconds.

## Workers

\`\`\`bash
tidewater worker --url https://tidewater.internal --pool default --slots 8
\`\`\`

A worker that receives SIGTERM takes no more runs and waits for the ones it has, up to \`--drain 10m\`.

## Back up

All state is in the database. Logs of runs older than \`--keep-logs\` (30 days) are deleted every night. A backup of the database is a
backup of Tidewater, secrets included, as long as you also keep the file that \`TIDEWATER_KEY_FILE\` names.

## Check it

\`\`\`bash
tidewater doctor --output text
\`\`\`

\`\`\`text
server      ok   2.4.0, leader
database    ok   PostgreSQL 16, 3 ms
workers     ok   4 connected, 2 pools
clock       ok   0.01 s off
\`\`\`

\`doctor\` ends with code 1 when something needs you, so that a monitor can call it. Numbers over time are in
[Observability](/guides/observability).
`,
  'guides/migrating-from-cron': `---
title: Moving from cron
description: Turn a crontab into jobs and schedules, one line at a time.
---

You do not have to move everything at once. Tidewater and cron can run side by side, and a job can be tried by hand before its
line leaves the crontab.

<Steps>
  <Step title="Import the crontab">
    \`\`\`bash
    crontab -l | tidewater import cron > tidewater.yaml
    \`\`\`
    Every line becomes a job. Its name comes from the command; change it to something that you would say out loud.
  </Step>
  <Step title="Run each one by hand">
    \`\`\`bash
    tidewater apply --paused
    tidewater run nightly-export --output text
    \`\`\`
    With \`--paused\` no schedule starts yet.
  </Step>
  <Step title="Swap">
    Remove the line from the crontab, then start the schedule:

    \`\`\`bash
    tidewater resume nightly-export
    \`\`\`
  </Step>
</Steps>

## What is different

| cron | Tidewater |
| --- | --- |
| Output is sent by mail | Output is kept with the run |
| A run that is due while the machine is off never happens | It happens within its grace period, or is recorded as \`missed\` |
| The environment is nearly empty | The environment is the worker's, plus the job's secrets |
| Overlap is your problem | [\`overlap\`](/guides/concurrency#one-at-a-time) decides |

Lines that use \`@reboot\` have no counterpart. Start that work with the machine.
`,
  'guides/observability': `---
title: Observability
description: Metrics, logs and the three alerts worth having.
---

## Metrics

The server answers \`/metrics\` in the Prometheus format. These are the ones to start with:

| Metric | Tells you |
| --- | --- |
| \`tidewater_runs_total\` | runs by job and final state |
| \`tidewater_start_delay_seconds\` | time between due and started |
| \`tidewater_workers_connected\` | workers by pool |
| \`tidewater_leader\` | 1 on the leading server |

## Three alerts

1. **Nothing leads.** \`max(tidewater_leader) < 1\` for one minute.
2. **Work starts late.** The 95th percentile of \`tidewater_start_delay_seconds\` above 60 for five minutes. Usually a pool has too few slots.
3. **A job has stopped succeeding.** \`time() - tidewater_last_success_seconds\` above twice the job's interval.

## Logs

The server writes one JSON object per line to standard error. \`run\` and \`job\` are always present on lines about a run:

\`\`\`json
{ "level": "info", "run": "01J8Z4", "job": "nightly-export", "message": "attempt 2 started" }
\`\`\`

The output of a job is not in there. Read it with [tidewater logs](/cli/logs), or send it elsewhere with \`--log-forward\`.
`,
}
