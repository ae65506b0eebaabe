import { type RepositoryTestStep, RepositoryTestStepName } from '@corrigenda/contracts'
import {
  claimRepositoryTest,
  isConnectionError,
  LostLeaseError,
  MAX_TEST_ATTEMPTS,
  type RepositoryTestClaim,
  recordRepositoryTest,
  releaseRepositoryTest,
  type TestProgress,
} from '@corrigenda/core'
import { forProject } from '../git-host/for-project.ts'
import type { TestDeps } from './test-bench.ts'
import { testRepository } from './test-repository.ts'

/** A test is over by then, whatever the Git host does; its lease is a little longer. */
const LIMIT_MS = 60_000
const LEASE_SECONDS = 75

/** Carries out tests of repositories, one at a time, looking for them every `seconds`. People wait for it, so that is short. */
export function startRepositoryTester(deps: TestDeps & { seconds: number; deployTargetKey: Buffer }): {
  stop(): Promise<void>
} {
  let stopped = false
  let timer: NodeJS.Timeout | undefined
  let working: Promise<void> = Promise.resolve()
  const work = async () => {
    try {
      while (!stopped) {
        const claim = await claimRepositoryTest(deps, { owner: deps.owner, leaseSeconds: LEASE_SECONDS })
        if (!claim) break
        await workOnTest(deps, claim)
      }
    } catch (error) {
      const reason = error instanceof Error ? error.name : 'unknown'
      deps.log.warn({ database: isConnectionError(error) ? 'away' : 'up', reason }, 'could not look for tests')
    }
    if (!stopped) schedule(deps.seconds * 1000)
  }
  const schedule = (ms: number) => {
    timer = setTimeout(() => {
      working = work()
    }, ms)
  }
  schedule(0)
  return {
    async stop() {
      stopped = true
      clearTimeout(timer)
      await working
    },
  }
}

/** @throws errors of the database */
async function workOnTest(deps: TestDeps, claim: RepositoryTestClaim): Promise<void> {
  const { testId, projectId, attempt } = claim
  const timeUp = AbortSignal.timeout(LIMIT_MS)
  const signal = AbortSignal.any([deps.shutdown, timeUp])
  let last: TestProgress = { steps: [], missing: [], ok: null }
  const report = (progress: TestProgress) => {
    last = progress
    return recordRepositoryTest(deps, claim, progress)
  }
  try {
    // Some worker died with it each time.
    if (attempt > MAX_TEST_ATTEMPTS) {
      return await recordRepositoryTest(deps, claim, { ...last, steps: [toUnfinished(last)], ok: false })
    }
    const ok = await testRepository(forProject(deps, projectId), claim, { report, signal })
    deps.log.info({ testId, projectId, ok }, 'repository tested')
  } catch (error) {
    if (error instanceof LostLeaseError) return deps.log.warn({ testId, attempt }, 'lost the test; wrote nothing')
    if (deps.shutdown.aborted) return await releaseRepositoryTest(deps, claim)
    if (!timeUp.aborted) throw error
    deps.log.warn({ testId, projectId }, 'a repository test took too long')
    await recordRepositoryTest(deps, claim, { ...last, steps: [...last.steps, toUnfinished(last)], ok: false })
  }
}

/** The step that was under way when the test came to its end. */
function toUnfinished({ steps }: TestProgress): RepositoryTestStep {
  const name = RepositoryTestStepName.options[steps.length] ?? 'actions_write'
  return { name, status: 'failed', message: 'There was no answer in time. Test again when the Git host is quicker.' }
}
