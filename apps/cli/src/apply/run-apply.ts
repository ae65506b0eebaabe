import { randomUUID } from 'node:crypto'
import { mkdir, open, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import type { Database } from '@corrigenda/core/db'
import { createProject } from '@corrigenda/core/projects'
import type { CommandContext } from '../environment/command-context.ts'
import { type DatabaseAccess, withDatabaseAccess } from '../environment/with-database-access.ts'
import { printAnswer, toPrintable } from '../terminal/print.ts'
import type { SecretOutput } from './declaration.ts'
import type { ApplyResult, FieldChange, ProjectPlan, Step } from './plan.ts'
import { planProjects } from './plan-projects.ts'
import { readDeclaration } from './read-declaration.ts'

const SIGN = { create: '+', update: '~', remove: '-' } as const satisfies Record<Step['action'], string>

/** Maximum number of characters of a value. */
const SHOWN = 200

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

/**
 * Makes the planned changes in order, each in a transaction of its own.
 * @param input.result receives what was created. It is complete even if a later step fails.
 * @throws Error that names the project and the step that failed. The steps before it stay.
 */
async function applyPlans(
  access: DatabaseAccess,
  input: { readonly plans: readonly ProjectPlan[]; readonly folder: string; readonly result: ApplyResult },
): Promise<void> {
  const { result, folder } = input
  for (const plan of input.plans) {
    const { name, repository, id, steps } = plan
    const projectId =
      id ?? (await explain(name, 'project', createProject(access, { name, repository, baseBranch: null }))).id
    result.ids.set(plan, projectId)
    for (const step of steps) {
      const secret = await explain(name, step.subject, runStep(step, { access, projectId, folder }))
      if (secret !== null) result.issued.push({ project: name, subject: step.subject, secret })
    }
  }
}

/** Returns the secret to print, or null. */
async function runStep(
  step: Step,
  input: { readonly access: DatabaseAccess; readonly projectId: string; readonly folder: string },
): Promise<string | null> {
  const { output, label } = step
  const { access, projectId, folder } = input
  if (output === undefined) return step.run({ access, projectId }).then(() => null)
  if (output === 'print') return String(await step.run({ access, projectId }))
  const store = await openSecretStore(output, { folder, label })
  try {
    await store.save(String(await step.run({ access, projectId })))
  } finally {
    await store.close()
  }
  return null
}

async function explain<T>(project: string, subject: string, work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (!(error instanceof Error)) throw error
    const message = `Project ${project}, ${subject}: ${error.message} Earlier changes stay. Run the command again.`
    throw Object.assign(new Error(message, { cause: error }), { code: (error as NodeJS.ErrnoException).code })
  }
}

/** Returns a plan as lines: the changes of each project, then the objects that stay undeclared. */
function formatPlans(plans: readonly ProjectPlan[]): string[] {
  return plans.flatMap(({ name, repository, id, steps, kept }) => {
    const notes = kept.map((subject) => `    ${subject} is not declared and stays`)
    const changes = steps.flatMap(({ action, subject, fields }) => [
      `  ${SIGN[action]} ${subject}`,
      ...fields.map(formatField),
    ])
    if (id !== null && changes.length + notes.length === 0) return []
    const heading = id === null ? `+ project ${name} (${repository})` : `project ${name} (${id})`
    return [heading, ...changes, ...notes].map(toPrintable)
  })
}

/** Returns the number of changes. */
const countChanges = (plans: readonly ProjectPlan[]): number =>
  plans.reduce((sum, { id, steps }) => sum + steps.length + (id === null ? 1 : 0), 0)

const formatField = ({ field, before, after }: FieldChange): string =>
  `      ${field}: ${formatValue(before)} → ${formatValue(after)}`

function formatValue(value: unknown): string {
  const text = value === null || value === undefined ? '(none)' : JSON.stringify(value)
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}… (${text.length} characters)` : text
}

interface SecretStore {
  save(secret: string): Promise<void>
  /** Removes what is left if no secret was saved. */
  close(): Promise<void>
}

/**
 * Prepares a file for a secret, so that a secret is created only if it can be stored. Replaces the
 * file atomically. Only its owner can read it.
 * @param input.label adds a line to the file instead of replacing it
 * @throws Error that names the file if it cannot be written
 */
async function openSecretStore(
  output: Exclude<SecretOutput, 'print'>,
  { folder, label }: { readonly folder: string; readonly label: string | undefined },
): Promise<SecretStore> {
  const file = path.resolve(folder, output.file)
  const draft = label === undefined ? `${file}.${randomUUID()}` : file
  const handle = await openFile(draft, label === undefined ? 'wx' : 'a', output.file)
  return {
    async save(secret) {
      await handle.writeFile(label === undefined ? `${secret}\n` : `${label} ${secret}\n`)
      await handle.sync()
      if (draft !== file) await rename(draft, file)
    },
    async close() {
      await handle.close()
      if (draft !== file) await rm(draft, { force: true })
    },
  }
}

async function openFile(file: string, flags: 'wx' | 'a', shown: string) {
  try {
    await mkdir(path.dirname(file), { recursive: true })
    const handle = await open(file, flags, 0o600)
    // A file that exists would keep its mode.
    await handle.chmod(0o600)
    return handle
  } catch (error) {
    throw new Error(`The file ${shown} cannot be written (${(error as NodeJS.ErrnoException).code}).`)
  }
}
