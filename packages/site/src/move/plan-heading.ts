import { findSite } from '../frameworks/find-site.ts'
import { GITHUB_IDS } from '../frameworks/github-ids.ts'
import type { HeadingIds } from '../frameworks/heading-ids.ts'
import { toDialect } from '../links/to-dialect.ts'
import type { Dialect } from '../pages/dialect.ts'
import { findHeadings, type Heading, type PageHeadings } from '../pages/find-headings.ts'
import { foldAnchor } from '../pages/fold-anchor.ts'
import { readPage } from '../pages/read-page.ts'
import type { PageReader } from '../thread/page-reader.ts'
import { encodeText } from '../workspace/text-file.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { buildDraftFiles } from './draft-files.ts'
import { findAnchorLinks } from './find-anchor-links.ts'
import { findMentions, type Mentions } from './find-mentions.ts'
import type { HeadingRename } from './heading-rename.ts'
import { readMentionNames } from './mention-names.ts'
import { MoveError } from './move-error.ts'
import { type Repository, readRepository } from './read-repository.ts'
import { rewriteAnchors } from './rewrite-anchors.ts'
import { verifyPlan } from './verify-plan.ts'

export interface HeadingInput {
  readonly page: string
  /** The heading's text, with or without its Markdown, or its anchor, such as `#install`. */
  readonly heading: string
  /** The new text, as Markdown without `#` marks. */
  readonly newHeading: string
  /** True to keep the old anchor instead of updating the links to it. */
  readonly keepsAnchor: boolean
}

export interface HeadingPlan {
  /** New bytes keyed by path. */
  readonly writes: ReadonlyMap<string, Uint8Array>
  /** 1-based line of the heading. */
  readonly line: number
  readonly oldText: string
  readonly oldAnchor: string
  readonly newAnchor: string
  /** Number of rewritten links per page. */
  readonly links: ReadonlyMap<string, number>
  /** Number of rewritten entries and redirects per navigation file. */
  readonly entries: ReadonlyMap<string, number>
  /** Links that were not rewritten, with the reason. */
  readonly left: readonly string[]
  /** Other lines that contain the old anchor with the page's address or path. */
  readonly mentions: Mentions
}

/**
 * Plans the new text of a heading and of all links to its anchor, in pages, navigation entries and
 * redirects. If the numbers in the anchors of repeated headings change, the links to these are
 * rewritten, too. With `keepsAnchor`, the heading gets its old anchor as an explicit id, and no
 * link changes. Writes nothing. `explain` returns the reason why a file cannot be written, or null
 * if it can. `reader` is as for `readRepository`.
 * @throws MoveError if there is no such heading, if the new text is not the text of one heading, if
 *   the anchor cannot be kept, or if the plan would change anything other than this heading and
 *   the links to it
 */
export async function planHeading(
  workspace: Workspace,
  input: HeadingInput,
  explain: (path: string) => string | null,
  reader?: PageReader,
): Promise<HeadingPlan> {
  const { page } = input
  const repository = await readRepository(workspace, reader)
  const dialect = toDialect(page, findSite(repository.sites, page))
  await repository.load([page])
  const found = repository.scans.has(page) && dialect !== null ? repository.findHeadings(page) : null
  if (dialect === null || found === null) throw fail(`${page} is not a page, or it does not parse`)
  const text = repository.textOf(page)
  const own = findSite(repository.sites, page).framework.headingIds ?? GITHUB_IDS
  const newHeading = requireHeadingText(input.newHeading, dialect)
  const { index, heading } = findHeading(page, found.headings, toHeadingIds(found.headings, own), input.heading)
  const { start, end } = heading
  if (repository.findSpans(page)?.some((span) => span.start >= start && span.end <= end) !== false)
    throw fail('the heading contains a link. Use edit')
  if (text.slice(start, end) === newHeading.written) throw fail('the heading already has this text')
  const rules = await findRules(repository, page, found, index)
  const mark = input.keepsAnchor ? await toMark(workspace, repository, { page, rules, found, heading }) : ''
  const splice = { start, end, replacement: `${newHeading.written}${mark}` }
  const now = `${text.slice(0, start)}${splice.replacement}${text.slice(end)}`
  const parts = { page, index, text: newHeading.text, written: splice.replacement }
  const after = (await repository.parse(repository.index, page, encodeText(now)))?.headings.headings
  if (after === undefined) throw fail(`${page} would no longer parse`)
  const rename = toRename({ ...parts, found, after, rules })
  if (rename.newIds[index] === '') throw fail('the new heading would have no anchor')
  const drafts = buildDraftFiles(workspace)
  const rewritten = await rewriteAnchors({ repository, rename, drafts, explain }, splice)
  const writes = drafts.toWrites()
  const differences = await verifyPlan(workspace, repository, {
    moves: new Map(),
    writes,
    entries: rewritten.texts,
    lostEntries: new Set(),
    lostLinks: rewritten.lost,
    pages: rewritten.pages,
    redirects: [],
    redirectTargets: rewritten.redirectTargets,
    heading: rename,
  })
  if (differences.length > 0)
    throw fail(`the change would damage the site: ${differences.slice(0, 5).join('; ')}. Edit the files yourself`)
  const anchors = new Set(rename.oldIds.filter((id, i) => id !== rename.newIds[i]))
  const names = await readMentionNames(workspace, repository, [page], anchors)
  const toPath = (path: string) => path
  const mentions = await findMentions(workspace, { names, writes, toPath, listed: rewritten.left })
  return {
    writes,
    line: heading.line,
    oldText: heading.text,
    oldAnchor: rename.oldIds[index] ?? '',
    newAnchor: rename.newIds[index] ?? '',
    links: rewritten.counts,
    entries: rewritten.entries,
    left: rewritten.left,
    mentions,
  }
}

const fail = (reason: string) => new MoveError(`Nothing was changed: ${reason}.`)

interface RenameParts extends Pick<HeadingRename, 'page' | 'index' | 'text' | 'written'> {
  readonly found: PageHeadings
  /** The headings of the page's new text. */
  readonly after: readonly Heading[]
  readonly rules: HeadingIds
}

function toRename({ found, after, rules, ...parts }: RenameParts): HeadingRename {
  const before = found.headings
  const ids = { oldIds: toHeadingIds(before, rules), newIds: toHeadingIds(after, rules), tagIds: found.ids }
  return { ...parts, before, after, ...ids }
}

/**
 * Returns the rules for a page's ids: those of the framework, or GitHub's if only these match the
 * existing links to the heading, because a plugin may replace the framework's rules.
 */
async function findRules(
  repository: Repository,
  page: string,
  { headings }: PageHeadings,
  index: number,
): Promise<HeadingIds> {
  const own = findSite(repository.sites, page).framework.headingIds ?? GITHUB_IDS
  if (own.toSlug === GITHUB_IDS.toSlug) return own
  const other = { ...GITHUB_IDS, explicit: own.explicit }
  const [id = '', otherId = ''] = [own, other].map((rules) => toHeadingIds(headings, rules)[index])
  const { links } = await findAnchorLinks(repository, page, [id, otherId])
  const count = (known: string) => links.filter(({ anchor }) => anchor === known).length
  return count(otherId) > count(id) ? other : own
}

interface MarkInput {
  readonly page: string
  readonly rules: HeadingIds
  readonly found: PageHeadings
  readonly heading: Heading
}

/** Returns the text that keeps a heading's anchor. Empty if the heading already defines its id. */
async function toMark(
  workspace: Workspace,
  { sites }: Repository,
  { page, rules, found, heading }: MarkInput,
): Promise<string> {
  if (heading.id !== null) return ''
  const site = findSite(sites, page)
  const { explicit } = rules
  if (explicit === null) throw fail(`${site.framework.title} has no syntax for the id of a heading. Omit keep_anchor`)
  const { setting } = explicit
  const files = [site.config, ...site.navigation.files].flatMap((path) => (path === null ? [] : [path]))
  const drafts = buildDraftFiles(workspace)
  const texts = setting === undefined ? [] : await Promise.all(files.map((path) => drafts.find(path)))
  if (setting !== undefined && !texts.some((file) => file?.text.includes(setting)))
    throw fail(`the ids of headings require ${setting}, which ${site.config} does not enable. Omit keep_anchor`)
  const slug = rules.toSlug(heading.text)
  if (found.headings.some((other) => other !== heading && (other.id ?? rules.toSlug(other.text)) === slug))
    throw fail('another heading of the page has the same anchor, so it cannot be kept. Omit keep_anchor')
  return ` ${explicit.toMark(slug)}`
}

/** Returns the id of each heading of a page. Repeated ids are numbered. */
function toHeadingIds(
  headings: readonly Pick<Heading, 'id' | 'text'>[],
  { toSlug, separator, firstNumber }: HeadingIds,
): string[] {
  const taken = new Set(headings.flatMap(({ id }) => (id === null ? [] : [id])))
  const next = new Map<string, number>()
  return headings.map(({ id, text }) => {
    if (id !== null) return id
    const slug = toSlug(text)
    let found = slug
    let number = next.get(slug) ?? firstNumber
    for (; taken.has(found); number += 1) found = `${slug}${separator}${number}`
    next.set(slug, number)
    taken.add(found)
    return found
  })
}

const MAX_SHOWN = 40

/**
 * Finds a heading by its text or its anchor. Returns it with its position in the list.
 * @throws MoveError if no heading or several headings match, or if the text is computed
 */
function findHeading(
  page: string,
  headings: readonly Heading[],
  ids: readonly string[],
  wanted: string,
): { index: number; heading: Heading } {
  const plain = wanted.trim().replace(/^#{1,6}[ \t]+/, '')
  const anchor = plain.replace(/^#/, '')
  const fold = (text: string) =>
    text
      .replace(/[`*_\\]/g, '')
      .replace(/\s+/g, ' ')
      .trim()
  const tests: ((heading: Heading, id: string) => boolean)[] = [
    ({ text }) => text === plain,
    ({ text }) => fold(text) === fold(plain),
    (_, id) => id === anchor,
    (_, id) => id !== '' && foldAnchor(id) === foldAnchor(anchor),
  ]
  const found = tests
    .map((test) => headings.flatMap((heading, i) => (test(heading, ids[i] ?? '') ? [i] : [])))
    .find((indexes) => indexes.length > 0)
  const [index] = found ?? []
  const list = (indexes: readonly number[]) =>
    indexes.slice(0, MAX_SHOWN).map((i) => `${headings[i]?.line}: ${headings[i]?.text} (#${ids[i]})`)
  const heading = index === undefined ? undefined : headings[index]
  if (found === undefined || index === undefined || heading === undefined) {
    throw new MoveError(
      `Nothing was changed: ${page} has no heading ${JSON.stringify(wanted.slice(0, 200))}. Headings written as HTML cannot be renamed. Headings by line:\n${list([...headings.keys()]).join('\n')}`,
    )
  }
  if (found.length > 1) {
    throw new MoveError(
      `Nothing was changed: ${page} has several headings with this text. Select one by its anchor:\n${list(found).join('\n')}`,
    )
  }
  if (heading.isComputed || heading.text === '')
    throw new MoveError(`Nothing was changed: an expression or a tag computes the text of this heading in ${page}.`)
  return { index, heading }
}

/** A heading's new text as written, and as shown. */
interface HeadingText {
  readonly written: string
  readonly text: string
}

const MAX_CHARS = 300

/**
 * Checks that a text is the text of exactly one heading. Removes `#` marks at its start.
 * @throws MoveError if it is not
 */
function requireHeadingText(input: string, dialect: Dialect): HeadingText {
  const written = input.trim().replace(/^#{1,6}[ \t]+/, '')
  const page = `# ${written}\n`
  const found = /[\p{Cc}]/u.test(written) || written.length > MAX_CHARS ? null : findHeadings(page, dialect)
  const [heading, second] = found?.headings ?? []
  const isWhole = heading?.start === 2 && heading.end === page.length - 1
  if (heading === undefined || second !== undefined || !isWhole || heading.isComputed || heading.text === '') {
    throw new MoveError(
      'Nothing was changed: the new heading must be one line of at most 300 characters, without an expression or an id.',
    )
  }
  if (readPage(new TextEncoder().encode(page), dialect).links.length > 0)
    throw new MoveError('Nothing was changed: the new heading must not contain a link or an image.')
  return { written, text: heading.text }
}
