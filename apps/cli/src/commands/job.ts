import type { AgentJob, JobEvent } from '@corrigenda/client'
import type { Command } from 'commander'
import type { CommandContext } from '../environment/command-context.ts'
import { formatEvent } from '../terminal/format-event.ts'
import { openClient } from '../terminal/open-client.ts'
import { printAnswer, toPrintable } from '../terminal/print.ts'
import { addJobOptions, type JobFlags, readJobOptions } from './job-options.ts'

interface Connection {
  readonly url?: string
  readonly key?: string
  readonly project: string
  readonly json?: boolean
}

/**
 * Adds `job create | get | cancel | message | retry | archive | unarchive | delete | changes | events`. They call the
 * HTTP API with a key, like any backend.
 */
export function addJobCommands(program: Command, context: CommandContext): void {
  const job = program.command('job').description('create and follow jobs over HTTP')
  const connect = (command: Command) =>
    command
      .requiredOption('--project <id>', 'project ID (or CORRIGENDA_PROJECT)', context.env.CORRIGENDA_PROJECT)
      .option('--url <url>', 'base URL of the API (or CORRIGENDA_URL)')
      .option('--key <key>', 'API key (prefer CORRIGENDA_API_KEY)')
      .option('--json', 'print one JSON object')
  const open = (options: Connection) =>
    openClient({
      url:
        options.url ??
        context.env.CORRIGENDA_URL ??
        context.env.PUBLIC_URL ??
        `http://127.0.0.1:${context.env.PORT || 8080}`,
      key: options.key ?? context.env.CORRIGENDA_API_KEY,
      projectId: options.project,
    })

  addJobOptions(connect(job.command('create').description('create a job')))
    .option('--wait', 'wait until the job ends; the exit code is 1 if it fails')
    .action(async (options: Connection & JobFlags & { wait?: boolean }) => {
      const created = open(options).createJob(readJobOptions(options))
      const ended = await (options.wait ? created.wait() : created)
      printAnswer(context, options.json, ended, describeJob(ended))
      if (ended.status === 'failed') context.setExitCode(1)
    })

  connect(job.command('get').description('print a job').argument('<id>')).action(
    async (id: string, options: Connection) => {
      const found = await open(options).getJob(id)
      printAnswer(context, options.json, found, describeJob(found))
    },
  )

  connect(
    job.command('cancel').description('cancel an active job; no pull request is opened afterwards').argument('<id>'),
  ).action(async (id: string, options: Connection) => {
    const cancelled = await open(options).cancelJob(id)
    printAnswer(context, options.json, cancelled, describeJob(cancelled))
  })

  connect(job.command('message').description('send a follow-up that updates the same pull request').argument('<id>'))
    .requiredOption('--prompt <text>', "the next change, or the answer to the agent's question")
    .option('--wait', 'wait until the job ends; the exit code is 1 if it fails')
    .action(async (id: string, options: Connection & { prompt: string; wait?: boolean }) => {
      const sent = open(options).sendMessage(id, options.prompt)
      const updated = await (options.wait ? sent.wait() : sent)
      printAnswer(context, options.json, updated, describeJob(updated))
      if (updated.status === 'failed') context.setExitCode(1)
    })

  connect(
    job.command('retry').description('create a new job with the same prompt and options').argument('<id>'),
  ).action(async (id: string, options: Connection) => {
    const created = await open(options).retryJob(id)
    printAnswer(context, options.json, created, describeJob(created))
  })

  connect(job.command('archive').description('archive a job that has ended').argument('<id>')).action(
    async (id: string, options: Connection) => {
      const archived = await open(options).archiveJob(id)
      printAnswer(context, options.json, archived, describeJob(archived))
    },
  )

  connect(job.command('unarchive').description('undo the archiving of a job').argument('<id>')).action(
    async (id: string, options: Connection) => {
      const restored = await open(options).unarchiveJob(id)
      printAnswer(context, options.json, restored, describeJob(restored))
    },
  )

  connect(
    job
      .command('delete')
      .description('delete a job that has ended, with its data; cannot be undone; its pull request stays')
      .argument('<id>'),
  ).action(async (id: string, options: Connection) => {
    await open(options).deleteJob(id)
    printAnswer(context, options.json, { id, deleted: true }, [`${toPrintable(id)}  deleted`])
  })

  connect(job.command('changes').description("print a job's changes as a unified diff").argument('<id>')).action(
    async (id: string, options: Connection) => {
      const changes = await open(options).getChanges(id)
      if (options.json) printAnswer(context, true, changes, [])
      else context.stdout.write(changes.patch.split('\n').map(toPrintable).join('\n'))
    },
  )

  connect(job.command('events').description("print a job's events").argument('<id>'))
    .option('--follow', 'print new events until the job ends')
    .action(async (id: string, options: Connection & { follow?: boolean }) => {
      const client = open(options)
      const events: JobEvent[] = []
      for await (const event of options.follow ? client.events(id) : client.listEvents(id)) {
        events.push(event)
        if (!options.json) context.stdout.write(`${event.createdAt}  ${toPrintable(formatEvent(event))}\n`)
      }
      if (options.json) printAnswer(context, true, { events }, [])
    })
}

function describeJob(job: AgentJob): string[] {
  const lines = [
    `${job.id}  ${job.status}${job.phase ? ` (${job.phase})` : ''}${job.outcome ? `, ${job.outcome}` : ''}`,
  ]
  if (job.title) lines.push(`Title:         ${job.title}`)
  if (job.prLink) lines.push(`Pull request:  ${job.prLink}`)
  if (job.failure) lines.push(`Failure:       ${job.failure.code}: ${job.failure.message}`)
  // Indented so that no line of the summary can imitate the command's own output.
  if (job.outcome !== 'changed' && job.summary)
    lines.push(...job.summary.split('\n').map((line, n) => (n === 0 ? 'Summary:' : '').padEnd(15) + line))
  return lines.map(toPrintable)
}
