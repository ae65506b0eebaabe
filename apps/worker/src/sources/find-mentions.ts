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

/** What a prompt says about repositories. */
interface Mentions {
  readonly mentions: readonly Mention[]
  /** Whether the prompt names another repository, which its numbers may belong to. */
  readonly namesOthers: boolean
}

const NAME = '[A-Za-z0-9._-]{1,100}'
const HOST = '[A-Za-z0-9.-]{1,253}'
/**
 * `owner/name`, or a known path of nested groups, with an optional rest, `#number` or `!number`, after `https://host/`, `git@host:`, `host/` for a
 * host of the repositories, or nothing.
 */
const toPattern = (hosts: readonly string[], nested: readonly string[]): RegExp =>
  new RegExp(
    `(?<![\\w./@-])(?:(?<scheme>https?:)//(?:www\\.)?(?<host>${HOST}(?::\\d{1,5})?)/|(?:ssh://)?[\\w.-]{1,60}@(?<ssh>${HOST})(?::\\d{1,5}/|[:/])|(?:www\\.)?(?<bare>${hosts.map(escapeText).join('|')})/)?(?<path>${nested.map((path) => `${escapeText(path)}(?![\\w-])|`).join('')}${NAME}/${NAME})(?:[#!](?<number>\\d{1,9})(?!\\d)|/(?<rest>[^\\s<>"'\`)\\]]{1,600}))?`,
    'gi',
  )
const escapeText = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
const REVISION = /^[\w./%+@-]{1,255}$/
/** A pull request or an issue on any Git host. */
const NUMBERED = /^(?:-\/)?(?:pulls?|issues|merge_requests)\/\d/
const FILE = /\.(?:mdx?|rst|adoc|txt|html?|json|ya?ml|toml|[cm]?[jt]sx?|py|go|rs|rb|java|css|png|svg)$/i

/**
 * Finds the references to these repositories in a prompt: URLs of the repository, a pull request or
 * a comparison, `owner/name`, and `owner/name#12`. Nothing else in a prompt refers to a repository.
 */
export function findMentions(prompt: string, repositories: readonly RepositoryAddress[]): Mentions {
  const known = repositories.map(({ origin, host, url }) => ({
    origin,
    host: host.toLowerCase(),
    // Includes the path of an installation below the root of its host.
    path: url.slice(origin.length + 1).toLowerCase(),
  }))
  const nested = known.map(({ path }) => path).filter((path) => path.split('/').length > 2)
  const owners = new Set(known.map(({ path }) => path.split('/')[0]))
  const hosts = new Set(known.map(({ host }) => host))
  const mentions: Mention[] = []
  let namesOthers = false
  for (const match of prompt.matchAll(toPattern([...hosts], nested))) {
    const { scheme, path = '', number, rest, ...groups } = match.groups ?? {}
    const host = (groups.host ?? groups.bare ?? groups.ssh)?.toLowerCase()
    const wanted = path
      .replace(/(?<![.,;:!])[.,;:!]+$/, '')
      .replace(/\.git$/i, '')
      .toLowerCase()
    const isHost = (one: { origin: string; host: string }) => {
      if (host === undefined) return true
      if (scheme !== undefined) return one.origin === `${scheme.toLowerCase()}//${host}`
      return (groups.ssh === undefined ? one.host : one.host.replace(/:\d+$/, '')) === host
    }
    const found = known.flatMap((one, index) => (one.path === wanted && isHost(one) ? [index] : []))
    const target =
      number === undefined ? (host === undefined ? {} : toTarget(rest ?? '')) : { pullRequest: Number(number) }
    mentions.push(...found.map((repository) => ({ repository, ...target })))
    if (found.length > 0) continue
    namesOthers ||= number !== undefined || NUMBERED.test(rest ?? '')
    if (host !== undefined) namesOthers ||= hosts.has(host) || groups.ssh !== undefined
    else if (rest === undefined && !FILE.test(wanted)) {
      const before = prompt.slice(Math.max(0, match.index - 40), match.index)
      namesOthers ||= owners.has(wanted.split('/')[0]) || OF.test(before)
    }
  }
  return { mentions, namesOthers }
}

/** A number of a pull request, directly before the name of its repository. */
const OF = /#?\d{1,9} (?:of|from) (?:the )?(?:repo(?:sitory)? )?$/

/** Parses the part of a repository URL after `owner/name/`. */
function toTarget(rest: string): Omit<Mention, 'repository'> {
  const pull = /^(?:-\/)?(?:pulls?|merge_requests)\/(\d{1,9})(?!\d)/.exec(rest)
  if (pull !== null) return { pullRequest: Number(pull[1]) }
  const compared = /^(?:-\/)?compare\/([^?#]*)/.exec(rest)?.[1] ?? ''
  const dots = compared.indexOf('..', 1)
  const [, since = '', parent = ''] = /^([^^]*)(\^?)$/.exec(compared.slice(0, Math.max(dots, 0))) ?? []
  const ref = compared
    .slice(dots)
    .replace(/^\.{2,3}/, '')
    .replace(/(?<![.,;:!])[.,;:!]+$/, '')
  if (!REVISION.test(since) || !REVISION.test(ref)) return {}
  try {
    return { since: `${decodeURIComponent(since)}${parent}`, ref: decodeURIComponent(ref) }
  } catch {
    return {}
  }
}

/** Numbers of pull requests that a prompt names without a repository. */
interface PullRequestNumbers {
  /** After a word such as `PR`. */
  readonly named: readonly number[]
  /** As `#12` alone. */
  readonly bare: readonly number[]
}

const NUMBER = '#?\\d{1,9}(?!\\w)'
const SEPARATOR = '(?:,? (?:and|or|to|through|&) |, ?| ?[-–/] ?)'
/** Numbers of other things, such as `step #2`, `issues #3 and #4` and `our #1`. */
const OTHERS = new RegExp(
  `\\b(?:(?:issue|ticket|bug|step|option|item|point|section|chapter|part|page|line|rule|note|reason|question|comment|case|task|figure|table|example|version|colou?r)s?|fix(?:es|ed)?|close[sd]?|resolve[sd]?)[ :]{1,2}${NUMBER}(?:${SEPARATOR}${NUMBER}){0,50}|\\b(?:our|your|their|its|my|the|a|is|are|be) #\\d(?!\\w)`,
  'gi',
)
/** A decimal, a time or an amount rather than a number of a pull request. */
const AMOUNT =
  '%|[.:]\\d| of \\d| (?:hours?|hrs?|minutes?|mins?|seconds?|secs?|days?|weeks?|months?|years?|times|business|working)\\b'
const FIRST = `(?:#\\d{1,9}(?!\\w)|\\d{1,9}(?!\\w)(?!${AMOUNT}))`
/** After `PR 12 and`, a number before a noun is an amount, such as in `3 pages`. */
const NEXT = `(?:#\\d{1,9}(?!\\w)|\\d{1,9}(?!\\w)(?!${AMOUNT})(?! (?!and\\b|from\\b|for\\b|with\\b)[a-z]{3,}))`
const NAMED = new RegExp(
  ['(?:pull[ -]request|PR|merge request)s', '(?:pull[ -]request|PR|merge request)(?!s)']
    .map(
      (word, index) =>
        `\\b${word}(?: numbers?| no\\.?)?[ :]{0,3}(${FIRST}(?:${SEPARATOR}${index === 0 ? FIRST : NEXT}){0,50})`,
    )
    .join('|'),
  'gi',
)
/** Longer numbers after a `#` are colors rather than pull requests. */
const BARE = /(?<![\w#/&])#(\d{1,5})(?!\w)/g

/** Returns the numbers of pull requests that a prompt names without a repository. */
export function findPullRequestNumbers(prompt: string): PullRequestNumbers {
  const text = prompt.replace(OTHERS, ' ')
  const named = [...text.matchAll(NAMED)].flatMap(([, many, one]) => (many ?? one ?? '').match(/\d+/g) ?? [])
  const bare = [...text.matchAll(BARE)].map(([, number = '']) => number)
  return { named: toNumbers(named), bare: toNumbers(bare) }
}

const toNumbers = (found: readonly string[]): number[] => [...new Set(found.map(Number))].filter((number) => number > 0)
