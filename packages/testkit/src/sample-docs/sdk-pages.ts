export const sdkPages: Readonly<Record<string, string>> = {
  'sdk/typescript': `---
title: TypeScript
description: Start and watch runs from Node.js.
---

\`\`\`bash
npm install @tidewater/sdk
\`\`\`

\`\`\`typescript
import { Tidewater } from '@tidewater/sdk'

const tidewater = new Tidewater({ url: 'https://tidewater.internal', token: process.env.TIDEWATER_TOKEN })

const run = await tidewater.runs.start('nightly-export', { env: { DAY: '2026-02-03' } })
const ended = await tidewater.runs.wait(run.id)
console.log(ended.state)
\`\`\`

The constructor reads \`TIDEWATER_URL\` and \`TIDEWATER_TOKEN\` when you pass nothing.

## Lists

Lists are async iterables and fetch pages as you go:

\`\`\`typescript
for await (const run of tidewater.runs.list({ state: 'failed' })) {
  console.log(run.job, run.exitCode)
}
\`\`\`

## Errors

\`\`\`typescript
import { JobNotFoundError } from '@tidewater/sdk'

try {
  await tidewater.runs.start('nightly-exprt')
} catch (error) {
  if (error instanceof JobNotFoundError) console.error(error.message)
  else throw error
}
\`\`\`

Requests that fail with 429, 503 or a broken connection are made again, three times at most. Starting a run sends an
\`Idempotency-Key\`, so a repeated request does not start a second run.
`,
  'sdk/python': `---
title: Python
description: Start and watch runs from Python 3.10 or newer.
---

\`\`\`bash
pip install tidewater
\`\`\`

\`\`\`python
from tidewater import Tidewater

tidewater = Tidewater()  # reads TIDEWATER_URL and TIDEWATER_TOKEN

run = tidewater.runs.start("nightly-export", env={"DAY": "2026-02-03"})
ended = tidewater.runs.wait(run.id, timeout=600)
print(ended.state)
\`\`\`

## Asynchronous code

\`\`\`python
from tidewater import AsyncTidewater

async with AsyncTidewater() as tidewater:
    async for run in tidewater.runs.list(state="failed"):
        print(run.job, run.exit_code)
\`\`\`

## Errors

Every code in [Errors](/api/errors) has an exception, such as \`JobNotFound\` and \`RateLimited\`. All of them inherit from
\`TidewaterError\`, which has \`code\`, \`message\` and \`path\`.
`,
  'sdk/workers': `---
title: Workers in code
description: Execute runs inside your own program instead of starting a command.
---

A worker in code saves the start of a process for every run, and gives the job your program's connections.

\`\`\`typescript
import { createWorker } from '@tidewater/sdk/worker'

const worker = createWorker({
  pool: 'reports',
  slots: 4,
  handlers: {
    'monthly-report': async ({ run, signal, log }) => {
      log(\`building the report for \${run.env.MONTH}\`)
      await buildReport(run.env.MONTH, { signal })
    },
  },
})

await worker.start()
\`\`\`

The job in \`tidewater.yaml\` has a \`handler\` in place of a \`command\`:

\`\`\`yaml
jobs:
  monthly-report:
    handler: monthly-report
    pool: reports
    schedule: first weekday of the month at 06:00
\`\`\`

## Rules for handlers

- Return to succeed, throw to fail.
- Pass \`signal\` on: it is aborted when the run is cancelled or runs into its timeout.
- Throw \`StopRetrying\` when another attempt would not help.

## Shut down

Call \`worker.drain()\` on SIGTERM. It resolves when the last run has ended.
`,
  'sdk/testing': `---
title: Testing
description: Try jobs and schedules without waiting for Monday.
---

## A server with a clock of its own

\`\`\`typescript
import { startTestServer } from '@tidewater/sdk/testing'

const server = await startTestServer({ now: '2026-02-27T17:59:00Z' })
await server.apply('tidewater.yaml')
await server.advance('2 minutes')

const [run] = await server.runs('month-end')
assert.equal(run.state, 'succeeded')
\`\`\`

The test server starts in milliseconds, keeps everything in memory and runs schedules as its clock is moved.

## On the command line

\`tidewater run --dry-run\` prints what would be started, with which environment and where, and starts nothing:

\`\`\`bash
tidewater run month-end --dry-run --output text
\`\`\`

\`\`\`text
command   ./month-end.sh
pool      default (2 workers connected)
timeout   15m
secrets   LEDGER_PASSWORD
\`\`\`

## In continuous integration

\`tidewater schedule check tidewater.yaml\` needs no server and ends with code 1 when the file has mistakes.
`,
}
