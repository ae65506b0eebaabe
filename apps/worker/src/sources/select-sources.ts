import {
  type AllowedHosts,
  DOCS_SOURCE,
  type JobSource,
  type RepositoryAddress,
  toRepositoryAddress,
} from '@corrigenda/contracts'
import type { StoredSource } from '@corrigenda/core/projects'
import { findMentions, findPullRequestNumbers, type Mention } from './find-mentions.ts'

interface SelectSourcesInput {
  /** Sources of the project. */
  readonly sources: readonly StoredSource[]
  /** The documentation repository. */
  readonly docs: RepositoryAddress
  /** Declares the kinds of the sources' hosts. */
  readonly hosts?: AllowedHosts
  /** The request's sources. If omitted, all sources are opened. */
  readonly asked: readonly JobSource[] | undefined
  readonly prompt: string
  /** For a follow-up: earlier prompts of the job, oldest first, and whether their change is on a branch. */
  readonly earlier?: { readonly prompts: readonly string[]; readonly isPublished: boolean } | undefined
}

const URL = /https?:\/\/\S+/g
/** A prompt with one of these words may concern recent changes. */
const RECENT =
  /\b(?:recent(?:ly)?|latest|since|past|commit(?:s|ted)?|push(?:e[sd])?|merged?|merges|pull[ -]requests?|PRs?|compare|releases?d?|diffs?|what changed|last (?:\w+ )?(?:days?|weeks?|months?))\b/i

/**
 * Selects the sources that a job opens, ending with the documentation repository, which is always
 * open. A prompt only selects what is read of these repositories; it cannot open another one. A
 * follow-up that selects nothing of a source reads what the newest earlier prompt selects.
 */
export function selectSources({ sources, docs, hosts, asked, prompt, earlier }: SelectSourcesInput): SelectedSource[] {
  const open = [
    ...sources.filter(({ name }) => asked === undefined || asked.some((one) => one.name === name)),
    toDocsSource(docs),
  ].map((source) => ({ ...source, address: toRepositoryAddress(source.repository, hosts) }))
  const names = open.map(({ name }) => name)
  const addresses = open.map(({ address }) => address)
  const repositories = addresses.map(({ url }) => url.toLowerCase())
  const prompts = [prompt, ...(earlier?.prompts.toReversed() ?? [])]
  const selections = prompts.map((text) => {
    const input = { repositories, asked, prompt: text, ...findMentions(text, addresses) }
    return names.map((name, index) => toRange(name, index, input))
  })
  /** The prompts whose work is not published yet. */
  const current = earlier?.isPublished === true ? 1 : prompts.length
  const found = names.map((_, index) => {
    const at = selections.findIndex((ranges) => ranges[index]?.isNamed || ranges[index]?.range !== undefined)
    return { isCurrent: at < current, ...selections[at]?.[index] }
  })
  const isSelected = found.map(
    ({ isCurrent, range, isNamed }, index) =>
      isCurrent && (range !== undefined || (names[index] !== DOCS_SOURCE && isNamed === true)),
  )
  const isRecent = prompts.slice(0, current).some((text) => RECENT.test(text.replace(URL, '')))
  const hasSelection = isSelected.some(Boolean)
  return open.map((source, index) => ({
    ...source,
    asked: found[index]?.range ?? { isGuess: false },
    listsChanges:
      isSelected[index] === true ||
      // The documentation's own changes are listed if there is no other source.
      (isRecent && !hasSelection && (source.name !== DOCS_SOURCE || open.length === 1)),
  }))
}

function toRange(
  name: string,
  index: number,
  input: Subject & { asked: readonly JobSource[] | undefined; prompt: string },
): { range: AskedRange | undefined; isNamed: boolean } {
  const { ref, pullRequest, since } = input.asked?.find((one) => one.name === name) ?? {}
  const { repositories, mentions } = input
  // A documentation repository that is also a source is read as the source.
  const isOther = name === DOCS_SOURCE && repositories.indexOf(repositories[index] ?? '') < index
  const own = isOther ? [] : mentions.filter((mention) => mention.repository === index)
  const isNamed = own.length > 0
  if (ref !== undefined || pullRequest !== undefined || since !== undefined) {
    return { isNamed, range: { ...omitUndefined({ ref, pullRequest, since }), isGuess: false } }
  }
  const comparison = own.find((mention) => mention.since !== undefined)
  if (comparison !== undefined) {
    return { isNamed, range: { ...omitUndefined({ since: comparison.since, ref: comparison.ref }), isGuess: true } }
  }
  const numbers = new Set(own.flatMap((mention) => mention.pullRequest ?? []))
  if (isSubject(name, index, input)) {
    const { named, bare } = findPullRequestNumbers(input.prompt)
    for (const number of numbers.size === 0 ? [...named, ...bare] : named) numbers.add(number)
  }
  const [number] = numbers
  // Only one commit of a source can be read.
  if (number === undefined || numbers.size > 1) return { isNamed, range: undefined }
  return { isNamed, range: { pullRequest: number, isGuess: true } }
}

interface Subject {
  /** URLs of the open repositories, ending with the documentation repository. */
  readonly repositories: readonly string[]
  readonly mentions: readonly Mention[]
  readonly namesOthers: boolean
}

/** Whether a number without a repository refers to this source: it is the only one, or the only one named. */
function isSubject(name: string, index: number, { repositories, mentions, namesOthers }: Subject): boolean {
  if (name === DOCS_SOURCE || namesOthers) return false
  const named = new Set(mentions.map(({ repository }) => repositories[repository]))
  const candidates = named.size === 0 ? new Set(repositories.slice(0, -1)) : named
  return candidates.size === 1 && candidates.has(repositories[index])
}

const omitUndefined = (range: {
  ref?: string | undefined
  pullRequest?: number | undefined
  since?: string | undefined
}) =>
  Object.fromEntries(Object.entries(range).filter(([, value]) => value !== undefined)) as Omit<AskedRange, 'isGuess'>

/** The documentation is published itself, so its text and its paths may be cited. */
const toDocsSource = (docs: RepositoryAddress): StoredSource => ({
  name: DOCS_SOURCE,
  repository: docs.url,
  ref: null,
  paths: [],
  quotable: [],
  visibility: 'public',
  cite: 'links',
  mayUseInstanceCredential: true,
})

/** A source that a job opens, with what the job reads of it. */
export interface SelectedSource extends StoredSource {
  readonly address: RepositoryAddress
  readonly asked: AskedRange
  /** Whether the first message lists the recent changes. */
  readonly listsChanges: boolean
}

/** Which commit is read, and where the recent changes start. */
interface AskedRange extends Pick<JobSource, 'ref' | 'pullRequest' | 'since'> {
  /**
   * True if the prompt contains the range, false if the request does. A range of a prompt that does
   * not exist is ignored.
   */
  readonly isGuess: boolean
}
