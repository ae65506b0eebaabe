import type { z } from 'zod'
import { FrozenPublish, PullRequestSettings } from '../runs/freeze-run.ts'

/** Pull request settings for tests, with defaults for the fields that are not set here. */
export const TEST_SETTINGS = PullRequestSettings.parse({ draft: false, labels: [] })

/**
 * Builds valid input for the publish phase, as created by the agent phase, without a real
 * repository.
 */
export const buildTestPublish = (some: Partial<z.input<typeof FrozenPublish>> = {}): FrozenPublish =>
  FrozenPublish.parse({
    branch: 'b',
    baseBranch: 'main',
    baseCommit: 'b'.repeat(40),
    commit: 'c'.repeat(40),
    commitMessage: 'm',
    timestamp: 1,
    title: 't',
    body: 'b',
    ...TEST_SETTINGS,
    ...some,
  })
