import { type Deployment, ListDeploymentsQuery } from '@corrigenda/contracts'
import { AppError } from '@corrigenda/core/base'
import { getDeployment, listDeployments } from '@corrigenda/core/deployments'
import type { Command } from 'commander'
import type { CommandContext } from '../environment/command-context.ts'
import { withDatabaseAccess } from '../environment/with-database-access.ts'
import { printAnswer, toPrintable, toTable } from '../terminal/print.ts'

interface Options {
  readonly project: string
  readonly json?: boolean
}

/** Adds `deployment list | get`, which read the database directly. */
export function addDeploymentCommands(program: Command, context: CommandContext): void {
  const deployment = program.command('deployment').description('list and read documentation deployments')

  deployment
    .command('list')
    .description("list a project's deployments, newest first")
    .requiredOption('--project <id>', 'project ID')
    .option('--limit <n>', 'maximum number of deployments, from 1 to 100', '20')
    .option('--cursor <cursor>', 'nextCursor of the previous page')
    .option('--json', 'print one JSON object')
    .action(async (options: Options & { limit: string; cursor?: string }) => {
      const { project: projectId, json = false, limit, cursor } = options
      const query = ListDeploymentsQuery.safeParse({ limit, cursor })
      if (!query.success) throw new Error('--limit must be a number from 1 to 100.')
      const page = await withDatabaseAccess(context, (access) => listDeployments(access, { projectId, ...query.data }))
      const rows = page.updates.map((one) => [
        one._id,
        one.createdAt,
        one.status,
        one.trigger,
        one.commit?.sha.slice(0, 7) ?? '-',
        toPrintable(one.summary),
      ])
      printAnswer(context, json, page, toTable([['ID', 'CREATED', 'STATUS', 'TRIGGER', 'COMMIT', 'SUMMARY'], ...rows]))
    })

  deployment
    .command('get')
    .description('print a deployment and its log')
    .argument('<id>')
    .requiredOption('--project <id>', 'project ID')
    .option('--json', 'print one JSON object')
    .action(async (statusId: string, options: Options) => {
      const { project: projectId, json = false } = options
      const found = await withDatabaseAccess(context, (access) => getDeployment(access, { projectId, statusId })).catch(
        (error) => {
          if (!(error instanceof AppError) || error.code !== 'not_found') throw error
          throw new Error(
            `Project ${projectId} has no deployment ${statusId}. List its deployments with "corrigenda deployment list".`,
          )
        },
      )
      printAnswer(context, json, found, describe(found))
    })
}

function describe(found: Deployment): string[] {
  const { commit } = found
  return [
    `${found._id}  ${found.status}`,
    `Summary:  ${found.summary}`,
    ...(commit ? [`Commit:   ${commit.sha.slice(0, 7)} of ${commit.ref}: ${commit.message.split('\n')[0]}`] : []),
    ...(found.url ? [`Run:      ${found.url}`] : []),
    ...found.logs.map((line) => `  ${line}`),
  ].map(toPrintable)
}
