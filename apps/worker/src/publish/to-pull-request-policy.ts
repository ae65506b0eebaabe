import type { JobOptions, PolicyFile, RunPolicyFile } from '@corrigenda/contracts'
import type { RunSettings } from '@corrigenda/core/projects'
import type { PullRequestSettings } from '@corrigenda/core/runs'
import { disarmPlain, toOneLine } from '@corrigenda/git/text'

/** Settings of the pull request of a run from the job, the project and the repository. */
export interface PullRequestPolicy {
  /** At most 15 reviewers. */
  readonly settings: PullRequestSettings
  /** The caller's title; null: the agent's title, in the form of `titlePattern`. */
  readonly title: string | null
  readonly titlePattern: string | null
}

/** The Git host's limit for one request. */
const MAX_REVIEWERS = 15

/**
 * Combines the options of the job, the settings of the project and the policy files of the
 * repository. A draft required by the repository cannot be overridden. Labels and reviewers are
 * combined. The repository's title pattern applies if the project has none.
 * @param owners CODEOWNERS of the changed files; used if the project enables it
 */
export function toPullRequestPolicy(
  { policy }: RunSettings,
  files: readonly RunPolicyFile[],
  options: JobOptions,
  owners: readonly string[],
): PullRequestPolicy {
  // Every option of a job is listed here, so that a new one does not compile until it is handled.
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

/**
 * Returns the repository's title pattern, made harmless. Unlike the project's pattern, its text
 * must not notify users or trigger automation.
 */
function findOwnPattern(own: readonly PolicyFile[]): string | null {
  const pattern = own.findLast((file) => file.titlePattern !== undefined)?.titlePattern
  return pattern === undefined ? null : disarmPlain(toOneLine(pattern))
}

function uniqueIgnoringCase(names: readonly string[]): string[] {
  const first = new Map<string, string>()
  for (const name of names) if (!first.has(name.toLowerCase())) first.set(name.toLowerCase(), name)
  return [...first.values()]
}
