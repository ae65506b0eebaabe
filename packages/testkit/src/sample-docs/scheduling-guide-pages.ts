export const schedulingGuidePages: Readonly<Record<string, string>> = {
  'guides/first-schedule': `---
title: Your first schedule
description: Intervals, cron expressions and calendar rules.
---

A schedule is a line in \`tidewater.yaml\`. This page walks through the three ways to write one.

## Intervals

\`\`\`yaml
jobs:
  warm-cache:
    command: ["./warm-cache.sh"]
    schedule: every 15 minutes
\`\`\`

Intervals count from midnight in the job's time zone, so \`every 15 minutes\` means :00, :15, :30 and :45. Restarting the server
does not shift them.

## Cron expressions

Five fields, as everywhere. Names of days and months may be written out:

\`\`\`yaml
schedule: "30 6 * * mon-fri"
\`\`\`

## Calendar rules

Some dates are awkward in cron. Tidewater understands these sentences:

\`\`\`yaml
schedules:
  - last weekday of the month at 18:00
  - first monday of the quarter at 07:30
  - every weekday at 09:00 except holidays
\`\`\`

\`holidays\` is a calendar that you keep yourself, described in [Calendars](/guides/calendars).

## Check it before you trust it

<Steps>
  <Step title="Preview the next runs">
    \`\`\`bash
    tidewater schedule preview warm-cache --count 5 --output text
    \`\`\`
  </Step>
  <Step title="Apply the file">
    \`\`\`bash
    tidewater apply
    \`\`\`
  </Step>
  <Step title="Start one now">
    \`\`\`bash
    tidewater run warm-cache
    \`\`\`
  </Step>
</Steps>

<Tip>
  \`tidewater run\` starts the job outside of its schedule. The schedule does not notice, and the next planned run still happens.
</Tip>
`,
  'guides/retries-and-backoff': `---
title: Retries and backoff
description: What happens after a failure, and how to say it.
---

By default a failed run is tried twice more: after one minute and after five. Change that per job:

\`\`\`yaml
jobs:
  send-invoices:
    command: ["./send-invoices.sh"]
    retries:
      attempts: 5
      backoff: exponential
      first: 30s
      max: 20m
\`\`\`

| Key | Default | Meaning |
| --- | --- | --- |
| \`attempts\` | 3 | including the first one |
| \`backoff\` | \`steps\` | \`steps\`, \`fixed\` or \`exponential\` |
| \`first\` | 1m | wait before the second attempt |
| \`max\` | 30m | longest wait between two attempts |

## What counts as a failure

A command fails when it ends with another code than 0, when it is killed, or when it runs into its \`timeout\`. A call fails when
the answer is not 2xx. A worker that dies takes nothing with it: after 45 seconds without a heartbeat the server hands the run
to another worker, and that attempt counts.

## Stop early

Some failures will not go away. End the command with code 75 and Tidewater tries again even when no attempt is left; end it with
code 64 and Tidewater does not try again at all.

<Note>
  Make jobs repeatable. An attempt may have done half of its work, and the next one starts from the beginning.
</Note>

Look at the attempts of a run with \`tidewater logs --attempts\`, described in [tidewater logs](/cli/logs#attempts).
`,
  'guides/time-zones': `---
title: Time zones
description: How schedules behave across zones and when the clocks change.
---

Every job has a time zone. Without one it uses the server's, which is UTC unless \`TIDEWATER_TZ\` says otherwise.

\`\`\`yaml
jobs:
  morning-report:
    command: ["./report.sh"]
    schedule: every weekday at 08:00
    timezone: Europe/Lisbon
\`\`\`

Use names from the IANA database. Offsets such as \`+01:00\` are refused, because they do not know about summer.

## When the clocks change

- **An hour is skipped.** A run that would have fallen into it starts right after the gap, once.
- **An hour happens twice.** A run at a fixed time starts at the first of the two. An interval keeps its rhythm and runs in both.

## See what will happen

\`\`\`bash
tidewater schedule preview morning-report --from 2026-03-27 --count 4 --output text
\`\`\`

\`\`\`text
2026-03-27 08:00 WET
2026-03-30 08:00 WEST
2026-03-31 08:00 WEST
2026-04-01 08:00 WEST
\`\`\`

The API gives every time in UTC; see [Schedules](/api/schedules).
`,
  'guides/concurrency': `---
title: Limiting concurrency
description: Keep runs from overlapping and heavy work from crowding out the rest.
---

## One at a time

A job that must not overlap with itself says so:

\`\`\`yaml
jobs:
  rebuild-index:
    command: ["./rebuild.sh"]
    schedule: every 5 minutes
    overlap: skip
\`\`\`

| \`overlap\` | When the last run is still going |
| --- | --- |
| \`allow\` | start another one (the default) |
| \`skip\` | leave this one out; it is recorded as \`missed\` |
| \`wait\` | start it when the other one has ended |
| \`replace\` | cancel the other one and start |

## Pools

A worker takes runs from one or more pools, and a fixed number of them at once:

\`\`\`bash
tidewater worker --pool default --pool heavy --slots 4
\`\`\`

Give slow work a pool of its own, and a few slots. Urgent work then never waits behind it.

\`\`\`yaml
jobs:
  full-backup:
    command: ["./backup.sh"]
    pool: heavy
\`\`\`

## A limit across jobs

Several jobs that share something fragile, such as a reporting database, can share a lock:

\`\`\`yaml
locks:
  reporting-db: 2

jobs:
  export-orders:
    command: ["./export.sh", "orders"]
    lock: reporting-db
\`\`\`

At most two runs that name \`reporting-db\` are going at any moment, whichever workers they are on.
`,
  'guides/calendars': `---
title: Calendars
description: Teach schedules about holidays, freezes and opening hours.
---

A calendar is a list of days, or of spans of time, with a name. Schedules may leave them out or be limited to them.

\`\`\`yaml
calendars:
  holidays:
    - 2026-01-01
    - 2026-12-25
    - 2026-12-26
  freeze:
    - 2026-11-23 18:00 to 2026-11-30 09:00
\`\`\`

\`\`\`yaml
jobs:
  deploy-preview:
    command: ["./deploy.sh", "preview"]
    schedule: every weekday at 07:00 except holidays, freeze
\`\`\`

## Import one

Most public calendars come as iCalendar files. Import them by address and Tidewater reads them again every day:

\`\`\`yaml
calendars:
  holidays:
    ical: https://calendar.example.com/holidays.ics
\`\`\`

If the address cannot be read, the last good copy stays in use and \`tidewater doctor\` says so.

## Preview

\`tidewater schedule preview\` names the calendar for every day that it leaves out:

\`\`\`text
2026-12-24 07:00
2026-12-25 skipped (holidays)
2026-12-28 07:00
\`\`\`

See also [tidewater schedule](/cli/schedule#preview).
`,
}
