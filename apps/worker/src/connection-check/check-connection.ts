import { GIT_HOSTS, type RepositoryTestStep, type RepositoryTestStepName } from '@corrigenda/contracts'
import { type CheckProgress, type Connection, getConnection } from '@corrigenda/core/connection-checks'
import { type Database, isConnectionError } from '@corrigenda/core/db'
import { toSealingKeys } from '@corrigenda/core/instance'
import { openLog } from '@corrigenda/core/runtime'
import { GitHttpError } from '@corrigenda/git/http'
import { redactSecrets } from '@corrigenda/git/text'
import { buildGitAccess } from '../config/build-git-hosts.ts'
import type { WorkerConfig } from '../config/config.ts'
import { CredentialsError } from '../git-host/credentials.ts'
import { forProject } from '../git-host/git-access.ts'
import { GitHostError } from '../git-host/git-host-error.ts'
import {
  type CheckDeps,
  type ConnectionCheckContext,
  type Found,
  testActions,
  testBaseBranch,
  testChecks,
  testContents,
  testCredential,
  testHost,
  testPullRequests,
  testPush,
  testReachable,
} from './steps.ts'
import { testSource } from './test-source.ts'
import { testWorkflowSecrets } from './test-workflow-secrets.ts'

const LIMIT_MS = 60_000

interface Step {
  readonly name: RepositoryTestStepName
  /** Name of the source that the step tests. It does not depend on earlier steps. */
  readonly source?: string
  readonly run: (context: ConnectionCheckContext) => Promise<Found>
  /** If this step fails, later steps are skipped. */
  readonly isPrerequisite?: true
  /** Jobs work even if this step fails. */
  readonly isOptional?: true
}

const STEPS: readonly Step[] = [
  { name: 'host_allowed', run: testHost, isPrerequisite: true },
  { name: 'credential_present', run: testCredential, isPrerequisite: true },
  { name: 'repository_reachable', run: testReachable, isPrerequisite: true },
  { name: 'base_branch', run: testBaseBranch },
  { name: 'contents_read', run: testContents },
  { name: 'push_allowed', run: testPush },
  { name: 'pull_requests_write', run: testPullRequests },
  { name: 'checks_read', run: testChecks, isOptional: true },
  { name: 'actions_write', run: testActions },
  { name: 'workflow_secrets', run: testWorkflowSecrets, isOptional: true },
]

/** Returns the steps of a connection's check, in order. */
export const listSteps = ({ sources }: Pick<Connection, 'sources'>): readonly Step[] => [
  ...STEPS,
  ...sources.map((source): Step => ({ name: 'source', source: source.name, run: (of) => testSource(of, source) })),
]

/** Progress of a finished check, with its result. */
export type ConnectionResult = CheckProgress & { readonly ok: boolean }

/**
 * Checks step by step whether jobs have the access they need to the repository and its sources,
 * without changing anything. Used by the dashboard's connection test and by `corrigenda doctor`.
 * @param deps includes the credentials of the connection's project
 * @param input.report called after each step with all steps so far; `ok` is null until the last
 * step. If `report` throws, the check stops.
 * @throws the signal's abort reason; database errors
 */
export async function checkConnection(
  deps: CheckDeps,
  connection: Connection,
  { report, signal }: { report: (progress: CheckProgress) => Promise<void>; signal: AbortSignal },
): Promise<ConnectionResult> {
  const context: ConnectionCheckContext = { deps, connection, signal }
  const all = listSteps(connection)
  const steps: RepositoryTestStep[] = []
  const missing = new Set<string>()
  let ok = true
  let blockedBy: RepositoryTestStepName | null = null
  try {
    for (const [index, step] of all.entries()) {
      const { name, source } = step
      const blocker = source === undefined ? blockedBy : null
      const found: Found = blocker === null ? await runStep(context, step) : toBlocked(blocker)
      const { status } = found
      const isOptional = status === 'failed' && (step.isOptional || found.isOptional) === true
      const message = redactSecrets(found.message, deps.secrets)
      steps.push({
        name,
        ...(source === undefined ? {} : { source }),
        status,
        message,
        ...(isOptional ? { optional: true } : {}),
      })
      for (const permission of found.missing ?? []) missing.add(toPermission(context, permission))
      if (status === 'failed') {
        if (!isOptional) ok = false
        if (step.isPrerequisite) blockedBy = name
      }
      await report({ steps, missing: [...missing], ok: index === all.length - 1 ? ok : null })
    }
    return { steps, missing: [...missing], ok }
  } finally {
    context.gitHost?.[Symbol.dispose]()
  }
}

async function runStep(context: ConnectionCheckContext, step: Step): Promise<Found> {
  try {
    return await step.run(context)
  } catch (error) {
    context.signal.throwIfAborted()
    if (isConnectionError(error)) throw error
    if (error instanceof CredentialsError || error instanceof GitHostError || error instanceof GitHttpError) {
      return { status: 'failed', message: error.message }
    }
    const { projectId } = context.connection
    context.deps.log.error({ projectId, step: step.name, err: error }, 'connection check failed unexpectedly')
    return { status: 'failed', message: 'Internal error in this step. See the service log for details.' }
  }
}

const toBlocked = (step: RepositoryTestStepName): Found => ({
  status: 'skipped',
  message: `Skipped because "${step.replaceAll('_', ' ')}" failed.`,
})

/**
 * Checks a project's repository connection from a process other than a worker, with the credential
 * its jobs would use.
 * @throws Error if the Git host does not respond within a minute; database errors
 */
export async function checkProjectConnection(
  config: WorkerConfig,
  { prisma }: Pick<Database, 'prisma'>,
  projectId: string,
): Promise<ConnectionResult> {
  const { deployTargetKey } = toSealingKeys(config)
  const log = openLog({ level: 'silent', secrets: [] })
  const deps = forProject({ ...buildGitAccess(config, { prisma, log }), log }, projectId)
  const connection = await getConnection({ prisma, deployTargetKey }, projectId)
  const signal = AbortSignal.timeout(LIMIT_MS)
  try {
    return await checkConnection(deps, connection, { report: async () => {}, signal })
  } catch (error) {
    if (signal.aborted) throw new Error('The Git host did not respond within a minute.')
    throw error
  }
}

/** The steps name GitHub's permissions. The tokens of other hosts have scopes for all of them. */
function toPermission({ repository }: ConnectionCheckContext, permission: string): string {
  if (repository === undefined || repository.kind === 'github') return permission
  return GIT_HOSTS[repository.kind].tokenNeeds.publish
}
