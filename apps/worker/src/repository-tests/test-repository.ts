import type { RepositoryTestStep, RepositoryTestStepName } from '@corrigenda/contracts'
import { isConnectionError, type RepositoryTestClaim, type TestProgress } from '@corrigenda/core'
import { GitHttpError } from '@corrigenda/git/http'
import { redactSecrets } from '@corrigenda/git/text'
import { CredentialsError } from '../git-host/credentials.ts'
import { GitHostError } from '../git-host/git-host-error.ts'
import { testBaseBranch, testCredential, testHost, testReachable } from './connect-steps.ts'
import { testActions, testChecks, testContents, testPullRequests, testPush } from './permission-steps.ts'
import type { Found, TestBench, TestDeps } from './test-bench.ts'

interface Step {
  readonly name: RepositoryTestStepName
  readonly run: (bench: TestBench) => Promise<Found>
  /** Nothing after it makes sense when it fails. */
  readonly isGate?: true
  /** Jobs work without it. */
  readonly isOptional?: true
}

const STEPS: readonly Step[] = [
  { name: 'host_allowed', run: testHost, isGate: true },
  { name: 'credential_present', run: testCredential, isGate: true },
  { name: 'repository_reachable', run: testReachable, isGate: true },
  { name: 'base_branch', run: testBaseBranch },
  { name: 'contents_read', run: testContents },
  { name: 'push_allowed', run: testPush },
  { name: 'pull_requests_write', run: testPullRequests },
  { name: 'checks_read', run: testChecks, isOptional: true },
  { name: 'actions_write', run: testActions },
]

/**
 * Tries what a job will need, step by step, and changes nothing in the repository. Each step is reported as soon as it is known; the last report has
 * the verdict.
 * @param report throws when the test is not ours any more
 * @throws the signal's reason; errors of the database
 */
export async function testRepository(
  deps: TestDeps,
  claim: RepositoryTestClaim,
  { report, signal }: { report: (progress: TestProgress) => Promise<void>; signal: AbortSignal },
): Promise<boolean> {
  const bench: TestBench = { deps, claim, signal }
  const steps: RepositoryTestStep[] = []
  const missing = new Set<string>()
  let ok = true
  let blockedBy: RepositoryTestStepName | null = null
  try {
    for (const [index, step] of STEPS.entries()) {
      const found: Found = blockedBy ? toBlocked(blockedBy) : await runStep(bench, step)
      steps.push({ name: step.name, status: found.status, message: redactSecrets(found.message, deps.secrets) })
      for (const permission of found.missing ?? []) missing.add(permission)
      if (found.status === 'failed') {
        if (!step.isOptional) ok = false
        if (step.isGate) blockedBy = step.name
      }
      const isLast = index === STEPS.length - 1
      await report({ steps, missing: [...missing], ok: isLast ? ok : null })
    }
    return ok
  } finally {
    bench.gitHost?.close()
  }
}

async function runStep(bench: TestBench, step: Step): Promise<Found> {
  try {
    return await step.run(bench)
  } catch (error) {
    bench.signal.throwIfAborted()
    if (isConnectionError(error)) throw error
    if (error instanceof CredentialsError || error instanceof GitHostError || error instanceof GitHttpError) {
      return { status: 'failed', message: error.message }
    }
    bench.deps.log.error({ testId: bench.claim.testId, step: step.name, err: error }, 'unexpected error in a test')
    return { status: 'failed', message: 'The service made a mistake with this step. Its log has the details.' }
  }
}

const toBlocked = (step: RepositoryTestStepName): Found => ({
  status: 'skipped',
  message: `Not tried, because "${step.replaceAll('_', ' ')}" failed.`,
})
