import type { JobOptions, PolicyFile, RunPolicyFile } from '@corrigenda/contracts'
import type { RunSettings } from '@corrigenda/core/projects'
import type { PullRequestSettings } from '@corrigenda/core/runs'
import { disarmPlain, toOneLine } from '@corrigenda/git/text'

/** A run's pull request settings from the job, the project and the repository. */
interface PullRequestPolicy {
  /** At most 15 reviewers. */
  readonly settings: PullRequestSettings
  /** The caller's title; null to use the agent's title, formatted with `titlePattern`. */
  readonly title: string | null
  readonly titlePattern: string | null
}

/** The Git host's limit on reviewers per request. */
export const MAX_REVIEWERS = 15

/**
 * Combines the job's options, the project's settings and the repository's policy files. A job
 * cannot override the repository's draft requirement. Labels and reviewers are combined. The
 * repository's title pattern applies if the project has none.
 * @param owners code owners of the changed files; used only if the project enables code owner
 * reviews
 */
export function toPullRequestPolicy(
  { policy }: Pick<RunSettings, 'policy'>,
  files: readonly RunPolicyFile[],
  options: JobOptions,
  owners: readonly string[],
): PullRequestPolicy {
  // Every job option is listed here, so that a new option does not compile until it is handled. The
  // branch and the sources take effect before the agent starts, and the questions before a change.
  const { draft, labels = [], title = null, branch: _branch, sources: _sources, questions: _, ...unhandled } = options
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
 * Returns the repository's title pattern with mentions and commands disarmed. Unlike the project's
 * pattern, it must not notify users or trigger automation.
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
