import type { Database } from '@corrigenda/core/db'
import type { CommandContext } from '../environment/command-context.ts'
import { withDatabaseAccess } from '../environment/with-database-access.ts'
import { printAnswer } from '../terminal/print.ts'
import { applyPlans } from './apply-plans.ts'
import { countChanges, formatPlans } from './format-plans.ts'
import type { ApplyResult, ProjectPlan } from './plan.ts'
import { planProjects } from './plan-projects.ts'
import { readDeclaration } from './read-declaration.ts'

export interface ApplyOptions {
  readonly file: string
  readonly dryRun?: boolean
  readonly check?: boolean
  readonly prune?: boolean
  readonly json?: boolean
}

/** Applies a declaration, or only prints its changes, as the options say. */
export async function runApply(context: CommandContext, options: ApplyOptions): Promise<void> {
  const read = await readDeclaration(context, options.file)
  const isDry = options.dryRun === true || options.check === true
  await withDatabaseAccess(context, async (access) => {
    const plan = () => planProjects({ access, env: context.env, read, prune: options.prune === true })
    if (isDry) {
      const plans = await plan()
      const count = countChanges(plans)
      printPlans(context, options, {
        plans,
        result: toResult(),
        end: count === 0 ? NO_CHANGES : `${toCount(count)}. Nothing was changed.`,
      })
      if (options.check && count > 0) context.setExitCode(1)
      return
    }
    await holdApplyLock(access, async () => {
      const plans = await plan()
      const result = toResult()
      const count = countChanges(plans)
      let end = 'The command failed before all changes were made.'
      try {
        await applyPlans(access, { plans, folder: read.folder, result })
        end = count === 0 ? NO_CHANGES : `Made ${toCount(count)}.`
      } finally {
        // Secrets that were created before a failure cannot be shown again.
        printPlans(context, options, { plans, result, end })
      }
    })
  })
}

const NO_CHANGES = 'No changes.'

const toResult = (): ApplyResult => ({ issued: [], ids: new Map() })

const toCount = (count: number): string => (count === 1 ? '1 change' : `${count} changes`)

function printPlans(
  context: CommandContext,
  { json }: ApplyOptions,
  input: { readonly plans: readonly ProjectPlan[]; readonly result: ApplyResult; readonly end: string },
): void {
  const { plans, end } = input
  const { issued, ids } = input.result
  const projects = plans.map((plan) => ({
    id: plan.id ?? ids.get(plan) ?? null,
    name: plan.name,
    kept: plan.kept,
    changes: plan.steps.map(({ action, subject, fields }) => ({ action, subject, fields })),
  }))
  printAnswer(context, json, { changes: countChanges(plans), projects, issued }, [
    ...formatPlans(plans),
    ...issued.map(({ project, subject, secret }) => `${subject} of ${project}: ${secret}`),
    ...(issued.length > 0 ? ['Store these secrets now. They cannot be shown again.'] : []),
    end,
  ])
}

/**
 * Runs the work while no other process applies a declaration to the same database. The lock belongs
 * to a transaction, so that it also works behind a connection pooler.
 * @throws Error if another process holds the lock
 */
export async function holdApplyLock<T>({ pool }: Pick<Database, 'pool'>, work: () => Promise<T>): Promise<T> {
  const client = await pool.connect()
  try {
    // The transaction is idle while the work uses other connections.
    await client.query('BEGIN')
    await client.query('SET LOCAL idle_in_transaction_session_timeout = 0')
    const { rows } = await client.query<{ locked: boolean }>(
      "SELECT pg_try_advisory_xact_lock(hashtextextended('corrigenda:apply', 0)) AS locked",
    )
    if (rows[0]?.locked !== true) {
      throw new Error(
        'Another "corrigenda apply" is running on this database. Run the command again when it has ended.',
      )
    }
    return await work()
  } finally {
    // A connection that cannot roll back is closed, which also releases the lock.
    const broken = await client.query('ROLLBACK').then(
      () => undefined,
      (error: Error) => error,
    )
    client.release(broken)
  }
}
