import type { RepositoryAddress } from '@corrigenda/contracts'

/** A reference to a known repository in a prompt. */
export interface Mention {
  /** Index of the repository in the input. */
  readonly repository: number
  readonly pullRequest?: number
  /** Commits, branches or tags of a compare URL. */
  readonly since?: string
  readonly ref?: string
}

const NAME = '[A-Za-z0-9._-]{1,100}'
/** `https://host/owner/name` with an optional rest, or `owner/name` with an optional `#number`. */
const REPOSITORY = new RegExp(
  `(?<![\\w./@-])(?:(https?://[A-Za-z0-9.:-]{1,260})/)?(${NAME}/${NAME})(?:#(\\d{1,9})(?!\\d)|/([^\\s<>"'\`)\\]]{1,600}))?`,
  'g',
)
const REVISION = '[\\w./%+@-]{1,255}?'
const COMPARISON = new RegExp(`^compare/(${REVISION})(\\^?)\\.\\.\\.?(${REVISION})(?:[?#].*|[.,;:!]*)$`)
/** Longer numbers after a `#` are colors rather than pull requests. */
const NUMBER = /(?:\bpull[ -]requests?|\bPRs?|\bmerge requests?)[ :]{0,3}#?(\d{1,9})\b|(?<![\w#/&])#(\d{1,5})\b/gi

/**
 * Finds the references to these repositories in a prompt: URLs of the repository, a pull request or
 * a comparison, `owner/name`, and `owner/name#12`. Nothing else in a prompt refers to a repository.
 */
export function findMentions(prompt: string, repositories: readonly RepositoryAddress[]): Mention[] {
  return [...prompt.matchAll(REPOSITORY)].flatMap(([, origin, path = '', number, rest]) => {
    const wanted = path
      .replace(/\.git$/i, '')
      .replace(/[.,;:!]+$/, '')
      .toLowerCase()
    const repository = repositories.findIndex(
      (one) => one.path.toLowerCase() === wanted && (origin === undefined || one.origin === origin.toLowerCase()),
    )
    if (repository === -1) return []
    if (number !== undefined) return [{ repository, pullRequest: Number(number) }]
    return [{ repository, ...(origin === undefined ? {} : toTarget(rest ?? '')) }]
  })
}

/** Returns the numbers of pull requests that a prompt names without a repository. */
export function findPullRequestNumbers(prompt: string): number[] {
  const numbers = [...prompt.matchAll(NUMBER)].map(([, named, short]) => Number(named ?? short))
  return [...new Set(numbers)].filter((number) => number > 0)
}

/** Parses the part of a repository URL after `owner/name/`. */
function toTarget(rest: string): Omit<Mention, 'repository'> {
  const pull = /^pull\/(\d{1,9})(?!\d)/.exec(rest)
  if (pull !== null) return { pullRequest: Number(pull[1]) }
  const [, since, parent, ref] = COMPARISON.exec(rest) ?? []
  if (since === undefined || ref === undefined) return {}
  try {
    return { since: `${decodeURIComponent(since)}${parent}`, ref: decodeURIComponent(ref) }
  } catch {
    return {}
  }
}
