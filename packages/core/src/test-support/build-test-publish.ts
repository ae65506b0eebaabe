import type { z } from 'zod'
import { FrozenPublish, PullRequestSettings } from '../runs/freeze-run.ts'

/** Settings of a pull request. A setting with a default need not be listed here. */
export const TEST_SETTINGS = PullRequestSettings.parse({ draft: false, labels: [] })

/**
 * Builds the result that the agent phase passes to the publish phase. Valid, but without a real
 * repository.
 */
export const buildTestPublish = (some: Partial<z.input<typeof FrozenPublish>> = {}): FrozenPublish =>
  FrozenPublish.parse({
    ...{ branch: 'b', baseBranch: 'main', baseCommit: 'b'.repeat(40), commit: 'c'.repeat(40) },
    ...{ commitMessage: 'm', timestamp: 1, title: 't', body: 'b' },
    ...TEST_SETTINGS,
    ...some,
  })
