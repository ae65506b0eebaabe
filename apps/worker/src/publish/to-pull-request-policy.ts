import type { JobOptions, PolicyFile, RunPolicyFile } from '@corrigenda/contracts'
import type { RunSettings } from '@corrigenda/core/projects'
import type { PullRequestSettings } from '@corrigenda/core/runs'
import { disarmPlain, toOneLine } from '@corrigenda/git/text'

/** What the job, the project and the repository ask of the pull request of a run. */
export interface PullRequestPolicy {
  /** At most 15 reviewers. */
  readonly settings: PullRequestSettings
  /** The caller's title; null: the agent's, in the form of `titlePattern`. */
  readonly title: string | null
  readonly titlePattern: string | null
}

/** As many as the Git host asks at once. */
const MAX_REVIEWERS = 15

/**
 * Combines the options of the job, the settings of the project and the policy files of the
 * repository. A draft required by the repository cannot be overridden. Labels and reviewers add up.
 * The repository's title pattern applies where the project has none.
 * @param owners whom CODEOWNERS names for the changed files; used if the project says so
 */
export function toPullRequestPolicy(
  { policy }: RunSettings,
  files: readonly RunPolicyFile[],
  options: JobOptions,
  owners: readonly string[],
): PullRequestPolicy {
  // Every option of a job is named here, so that a new one does not compile until it has a place.
  const { draft, labels = [], title = null, branch: _usedByPrepareRun, ...unhandled } = options
  unhandled satisfies Record<string, never>
  const own = files.map((file) => file.policy)
  const reviewers = [
    ...policy.reviewers,
    ...own.flatMap((file) => file.reviewers ?? []),
    ...(policy.codeownersReviewers ? owners : []),
  ]
  return {
    settings: {
      draft: own.some((file) => file.draft === true) || (draft ?? policy.draft),
      labels: [...new Set([...labels, ...policy.labels, ...own.flatMap((file) => file.labels ?? [])])],
      reviewers: uniqueIgnoringCase(reviewers).slice(0, MAX_REVIEWERS),
    },
    title,
    titlePattern: policy.titlePattern ?? findOwnPattern(own),
  }
}

/** The repository's pattern, disarmed: unlike an owner's, its words must call nobody and nothing. */
function findOwnPattern(own: readonly PolicyFile[]): string | null {
  const pattern = own.findLast((file) => file.titlePattern !== undefined)?.titlePattern
  return pattern === undefined ? null : disarmPlain(toOneLine(pattern))
}

function uniqueIgnoringCase(names: readonly string[]): string[] {
  const first = new Map<string, string>()
  for (const name of names) if (!first.has(name.toLowerCase())) first.set(name.toLowerCase(), name)
  return [...first.values()]
}
