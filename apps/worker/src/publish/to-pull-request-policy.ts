import type { JobOptions, PolicyFile, RunPolicyFile } from '@corrigenda/contracts'
import type { RunSettings } from '@corrigenda/core/projects'
import { disarmPlain, toOneLine } from '@corrigenda/git/text'

/** How the pull request of a run looks. */
export interface PullRequestPolicy {
  readonly draft: boolean
  readonly labels: readonly string[]
  /** Logins, and `organization/team` for teams; at most 15. */
  readonly reviewers: readonly string[]
  readonly titlePattern: string | null
}

/** As many as the Git host asks at once. */
const MAX_REVIEWERS = 15

/**
 * The wishes of the job, the project and the repository together. A draft that the repository asks for is one whatever the others say; labels and
 * reviewers add up; a title pattern of the repository counts where the project has none.
 * @param owners whom CODEOWNERS names for the changed files; asked when the project wants it so
 */
export function toPullRequestPolicy(
  { policy }: RunSettings,
  files: readonly RunPolicyFile[],
  options: JobOptions,
  owners: readonly string[],
): PullRequestPolicy {
  const own = files.map((file) => file.policy)
  const reviewers = [
    ...policy.reviewers,
    ...own.flatMap((file) => file.reviewers ?? []),
    ...(policy.codeownersReviewers ? owners : []),
  ]
  return {
    draft: own.some((file) => file.draft === true) || (options.draft ?? policy.draft),
    labels: [...new Set([...(options.labels ?? []), ...policy.labels, ...own.flatMap((file) => file.labels ?? [])])],
    reviewers: uniqueIgnoringCase(reviewers).slice(0, MAX_REVIEWERS),
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
