export const helpPages: Readonly<Record<string, string>> = {
  'troubleshooting/overview': `---
title: Troubleshooting
description: Where to look first.
---

<Steps>
  <Step title="Ask the doctor">
    \`\`\`bash
    tidewater doctor --output text
    \`\`\`
  </Step>
  <Step title="Look at the job">
    \`\`\`bash
    tidewater list <job> --output wide
    \`\`\`
  </Step>
  <Step title="Read the last run">
    \`\`\`bash
    tidewater logs <job> --attempts
    \`\`\`
  </Step>
</Steps>

<CardGroup cols={3}>
  <Card title="A run did not happen" href="/troubleshooting/missed-runs">
    Paused, skipped or late.
  </Card>
  <Card title="A run does not end" href="/troubleshooting/stuck-runs">
    Waiting for a worker, or for itself.
  </Card>
  <Card title="Nothing connects" href="/troubleshooting/connection">
    Addresses, tokens and proxies.
  </Card>
</CardGroup>

If none of these help, \`tidewater support bundle\` collects versions, settings and recent logs in one file. Secrets are left out.
`,
  'troubleshooting/missed-runs': `---
title: A run did not happen
description: Find out why a schedule did not start its job.
---

Ask for the history of the schedule. It has an entry for every planned time, including the ones that came to nothing:

\`\`\`bash
tidewater schedule history nightly-export --since 2d --output text
\`\`\`

\`\`\`text
2026-02-02 02:00   succeeded
2026-02-03 02:00   missed      no worker in pool heavy
\`\`\`

| Reason | What to do |
| --- | --- |
| \`paused\` | \`tidewater resume\`, see [pause and resume](/cli/pause) |
| \`no worker in pool …\` | start a worker for that pool |
| \`overlap\` | the run before was still going; see [Limiting concurrency](/guides/concurrency#one-at-a-time) |
| \`calendar …\` | a calendar leaves this day out |
| \`no leader\` | no server was up at that time |

## The grace period

A run may start up to ten minutes late. After that it is \`missed\`, because a report for eight o'clock is of little use at noon. Change
it per job with \`grace: 2h\`, or \`grace: forever\`.

Start what was missed with \`tidewater run nightly-export\`.
`,
  'troubleshooting/stuck-runs': `---
title: A run does not end
description: Tell waiting from hanging, and stop what hangs.
---

## It is waiting

\`\`\`bash
tidewater list --state waiting --output text
\`\`\`

A run waits when every slot of its pool is taken, when it needs a lock that others hold, or when its pool has no workers at all.
\`tidewater worker list\` shows slots and what is in them.

## It is running

Read along, and look at when it last printed something:

\`\`\`bash
tidewater logs export-stock --follow
\`\`\`

Give every job a \`timeout\`. Without one a run may go on for 24 hours before the server ends it.

## Stop it

\`\`\`bash
tidewater cancel export-stock
\`\`\`

The worker sends SIGTERM to the whole process group, and SIGKILL after ten seconds. If the worker has lost its connection, the run is
handed to another one 45 seconds after its last heartbeat; the old worker stops its copy as soon as it hears from the server again.

<Note>
  A command that starts a process in the background and ends has ended, as far as Tidewater can see. Keep it in the foreground.
</Note>
`,
  'troubleshooting/connection': `---
title: Nothing connects
description: Addresses, tokens, proxies and clocks.
---

## The command line cannot reach the server

\`\`\`text
could not reach http://127.0.0.1:7420: connection refused
\`\`\`

The command line talks to your own machine unless told otherwise. Check which server it means:

\`\`\`bash
tidewater config show --output text
\`\`\`

Set \`TIDEWATER_URL\`, or log in with [tidewater login](/cli/login).

## The server refuses the token

\`unauthenticated\` means that the token is unknown, expired or revoked. \`missing_scope\` means that it is valid and not allowed to do
this; the message names the [scope](/api/authentication#scopes).

## A worker does not show up

1. A worker connects outwards, to the server's port 7420. It needs no open port of its own.
2. Behind a proxy, set \`HTTPS_PROXY\`. Proxies that end idle connections after less than 30 seconds are a known trouble.
3. A clock that is more than two minutes off makes TLS and signatures fail. \`tidewater doctor\` compares clocks.
`,
  'changelog/releases': `---
title: Release notes
description: What changed, newest first.
---

## 2.4

- \`tidewater run --wait-start\` gives up when no worker takes a run in time.
- Calendars can be read from iCalendar addresses. See [Calendars](/guides/calendars#import-one).
- Locks can be shared across jobs.

## 2.3

- \`--output wide\` for \`tidewater list\`.
- The server starts a third faster with more than a thousand jobs.
- Fixed: a paused job with \`until\` resumed an hour late when the clocks changed in between.

## 2.2

- \`/v1\` of the API is gone. It had been deprecated since 2.0.
- \`--output text\` is now the default for every command; before, \`tidewater doctor\` printed JSON.

## 2.1

- Workers in code, for [TypeScript](/sdk/workers).
- \`tidewater schedule explain\`.

## 2.0

- New configuration file. [Upgrading to 2.0](/changelog/upgrade-2-0) has a tool for it.
- \`tidewater start\` is now called \`tidewater run\`.
`,
  'changelog/upgrade-2-0': `---
title: Upgrading to 2.0
description: From tidewater.ini to tidewater.yaml, and the commands that were renamed.
---

![The order of an upgrade: convert, server, workers, clean up](/images/upgrade.svg)

<Steps>
  <Step title="Convert the configuration">
    \`\`\`bash
    tidewater convert tidewater.ini > tidewater.yaml
    tidewater schedule check tidewater.yaml
    \`\`\`
  </Step>
  <Step title="Upgrade the server">
    It changes the database on its first start. That takes about a minute per million runs and cannot be undone: make a backup.
  </Step>
  <Step title="Upgrade the workers">
    One at a time. Old workers keep working until you are done.
  </Step>
</Steps>

## Renamed

| 1.x | 2.0 |
| --- | --- |
| \`tidewater start\` | \`tidewater run\` |
| \`tidewater tail\` | \`tidewater logs --follow\` |
| \`--format plain\` | \`--output text\` |
| \`--format json\` | \`--output json\` |
| \`max_parallel\` | \`overlap\`, see [Limiting concurrency](/guides/concurrency) |

The old names print a warning in 2.x and are gone in 3.0.

<Tip>
  Search your scripts for \`--format\` and for \`tidewater start\` before you begin: both are easy to overlook in cron lines.
</Tip>
`,
}
