import { AuditAction, type AuditEvent } from '@corrigenda/contracts'
import { type AuditScope, exportAuditEvents, listAuditEvents } from '@corrigenda/core/audit'
import { type Command, InvalidArgumentError } from 'commander'
import type { CommandContext } from '../environment/command-context.ts'
import { withDatabaseAccess } from '../environment/with-database-access.ts'
import { printAnswer, toPrintable, toTable } from '../terminal/print.ts'

interface FilterOptions {
  readonly project?: string
  readonly action?: AuditAction
  readonly actor?: string
  readonly since?: string
  readonly until?: string
}

/** Adds `audit list | export`, which use the database directly. */
export function addAuditCommands(program: Command, context: CommandContext): void {
  const audit = program.command('audit').description('read the audit log')

  addFilters(audit.command('list').description('list the newest events'))
    .option('--limit <n>', 'maximum number of events, from 1 to 200', parseLimit, 50)
    .option('--json', 'print one JSON object')
    .action(async ({ limit, json, ...options }: FilterOptions & { limit: number; json?: boolean }) => {
      const page = await withDatabaseAccess(context, (access) =>
        listAuditEvents(access, { ...toScope(options), limit }),
      )
      const heading = ['TIME', 'ACTION', 'ACTOR', 'IP ADDRESS', 'PROJECT', 'TARGET']
      printAnswer(context, json, page, toTable([heading, ...page.events.map(toRow)]))
    })

  addFilters(audit.command('export').description('print all events as JSON Lines, newest first')).action(
    async (options: FilterOptions) => {
      await withDatabaseAccess(context, async (access) => {
        for await (const batch of exportAuditEvents(access, toScope(options))) {
          context.stdout.write(batch.map((event) => `${JSON.stringify(event)}\n`).join(''))
        }
      })
    },
  )
}

const addFilters = (command: Command): Command =>
  command
    .option('--project <id>', "only this project's events")
    .option('--action <action>', 'only this action, for example key.created', parseAction)
    .option('--actor <id>', 'only actions by this user or API key')
    .option('--since <time>', 'first moment, for example 2026-01-31 or 2026-01-31T12:00:00Z', parseTime)
    .option('--until <time>', 'end of the period, exclusive', parseTime)

const toScope = ({ project, action, actor, since, until }: FilterOptions): AuditScope => ({
  projectId: project ?? null,
  action,
  actor,
  since,
  until,
})

const toRow = ({ createdAt, action, actor, ipAddress, projectId, target }: AuditEvent): string[] =>
  [
    createdAt,
    action,
    actor.name,
    ipAddress ?? '-',
    projectId ?? '-',
    target === null ? '-' : `${target.type} ${target.name ?? target.id}`,
  ].map(toPrintable)

function parseAction(text: string): AuditAction {
  const action = AuditAction.safeParse(text)
  if (!action.success) throw new InvalidArgumentError(`Valid actions are ${AuditAction.options.join(', ')}.`)
  return action.data
}

function parseTime(text: string): string {
  const time = new Date(text)
  if (Number.isNaN(time.getTime())) throw new InvalidArgumentError('Use a date or an ISO 8601 time.')
  return time.toISOString()
}

function parseLimit(text: string): number {
  const limit = Number(text)
  if (!Number.isInteger(limit) || limit < 1 || limit > 200)
    throw new InvalidArgumentError('Use a number from 1 to 200.')
  return limit
}
