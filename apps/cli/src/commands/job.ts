import { AgentJob, JobEventPage } from '@corrigenda/contracts'
import type { Env } from '@corrigenda/core'
import type { Command } from 'commander'
import { formatEvent } from '../format-event.ts'
import { buildClient, type Client } from '../http-client.ts'
import { printAnswer, toPrintable } from '../print.ts'

interface Connection {
  readonly url?: string
  readonly key?: string
  readonly project: string
  readonly json?: boolean
}

const POLL_MS = 500

/** `job create | get | cancel | events`: through the HTTP API, with a key, as any backend would. */
export function addJobCommands(program: Command, env: Env): void {
  const job = program.command('job').description('post jobs and follow them, over HTTP')
  const connect = (command: Command) =>
    command
      .requiredOption('--project <id>', 'the project (or CORRIGENDA_PROJECT)', env.CORRIGENDA_PROJECT)
      .option('--url <url>', 'where the API answers (or CORRIGENDA_URL)')
      .option('--key <key>', 'the API key (better: CORRIGENDA_API_KEY)')
      .option('--json', 'print one JSON object')
  const open = (options: Connection) =>
    buildClient({
      url: options.url ?? env.CORRIGENDA_URL ?? env.PUBLIC_URL ?? `http://127.0.0.1:${env.PORT || 8080}`,
      key: options.key ?? env.CORRIGENDA_API_KEY,
      projectId: options.project,
    })

  connect(job.command('create').description('post a job'))
    .requiredOption('--prompt <text>', 'what to change, in a sentence or more')
    .option('--wait', 'wait for its end; exit code 1 when it fails')
    .action(async (options: Connection & { prompt: string; wait?: boolean }) => {
      const client = open(options)
      const created = AgentJob.parse(await client.post('/job', { prompt: options.prompt }))
      const ended = options.wait ? await waitForEnd(client, created.id) : created
      printAnswer(options.json ?? false, ended, describeJob(ended))
      if (ended.status === 'failed') process.exitCode = 1
    })

  connect(job.command('get').description('read a job').argument('<id>')).action(
    async (id: string, options: Connection) => {
      const found = AgentJob.parse(await open(options).get(`/job/${encodeURIComponent(id)}`))
      printAnswer(options.json ?? false, found, describeJob(found))
    },
  )

  connect(
    job.command('cancel').description('end an active job; no pull request appears afterwards').argument('<id>'),
  ).action(async (id: string, options: Connection) => {
    const cancelled = AgentJob.parse(await open(options).post(`/job/${encodeURIComponent(id)}/cancel`, {}))
    printAnswer(options.json ?? false, cancelled, describeJob(cancelled))
  })

  connect(job.command('events').description('read what happened on a job').argument('<id>'))
    .option('--follow', 'go on until the job ends')
    .action(async (id: string, options: Connection & { follow?: boolean }) => {
      const client = open(options)
      const events: JobEventPage['events'] = []
      for (let ended = false; !ended; ) {
        // Read the state first: an event that comes after it is on the next page at the latest.
        const { status } = AgentJob.parse(await client.get(`/job/${encodeURIComponent(id)}`))
        const after = events.at(-1)?.seq ?? 0
        const page = JobEventPage.parse(
          await client.get(`/job/${encodeURIComponent(id)}/events?after=${after}&limit=1000`),
        )
        for (const event of page.events) {
          events.push(event)
          if (!options.json) process.stdout.write(`${event.createdAt}  ${toPrintable(formatEvent(event))}\n`)
        }
        ended = page.events.length < 1000 && (status !== 'active' || !options.follow)
        if (!ended) await new Promise((resolve) => setTimeout(resolve, POLL_MS))
      }
      if (options.json) printAnswer(true, { events }, [])
    })
}

async function waitForEnd(client: Client, id: string): Promise<AgentJob> {
  for (;;) {
    const job = AgentJob.parse(await client.get(`/job/${id}`))
    if (job.status !== 'active') return job
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
}

function describeJob(job: AgentJob): string[] {
  const lines = [
    `${job.id}  ${job.status}${job.phase ? ` (${job.phase})` : ''}${job.outcome ? `, ${job.outcome}` : ''}`,
  ]
  if (job.title) lines.push(`Title:         ${job.title}`)
  if (job.prLink) lines.push(`Pull request:  ${job.prLink}`)
  if (job.failure) lines.push(`Failure:       ${job.failure.code}: ${job.failure.message}`)
  // Indented, so that no line of the text can pass for one of ours.
  if (job.outcome !== 'changed' && job.summary)
    lines.push(...job.summary.split('\n').map((line, n) => (n === 0 ? 'Summary:' : '').padEnd(15) + line))
  return lines.map(toPrintable)
}
