import type { ConfigFile, ConfigFiles, SiteFault } from '../config/config-files.ts'
import { findProperty, type Literal, type LiteralFile, toItems, toProperties, toTextRange } from '../config/literal.ts'
import { joinPath, PAGE } from '../pages/paths.ts'
import type { Framework } from './framework.ts'
import type { NavigationEntry, NavigationMode, SiteReading, SiteRedirect } from './site.ts'

export type ReadSite = Framework['read']

/** Navigation data collected while reading a site. */
export interface NavigationDraft {
  readonly entries: NavigationEntry[]
  readonly files: string[]
  readonly generated: string[]
  readonly omitted: string[]
  readonly faults: SiteFault[]
  mode: NavigationMode
  /** Parts of the configuration that may still be read. */
  nodes: number
}

/** Parts of the configuration that are read. Evaluated values and references may repeat parts. */
const MAX_NODES = 200_000
/** Maximum number of navigation entries that are read. No handwritten navigation is larger. */
const MAX_ENTRIES = 50_000
export const MAX_REDIRECTS = 20_000

export function buildDraft(file: string): NavigationDraft {
  return { entries: [], files: [file], generated: [], omitted: [], faults: [], mode: 'listed', nodes: MAX_NODES }
}

/** Records that part of the navigation is not a literal, so it may list more pages. */
export function blur(draft: NavigationDraft): void {
  draft.mode = 'unknown'
}

/**
 * Counts a part of the configuration that a reader visits. Returns false if there were too many.
 * Every reader that visits the parts of parts uses it.
 */
export function enterNode(draft: NavigationDraft): boolean {
  draft.nodes -= 1
  if (draft.nodes < 0) blur(draft)
  return draft.nodes >= 0
}

export function addGenerated(draft: NavigationDraft, folder: string): void {
  draft.generated.push(folder)
  if (draft.mode === 'listed') draft.mode = 'generated'
}

export function noteFile(draft: NavigationDraft, file: ConfigFile): void {
  if (!draft.files.includes(file.path)) draft.files.push(file.path)
  if (file.fault !== null && !draft.faults.includes(file.fault)) draft.faults.push(file.fault)
}

/** Evaluates a script and records faults of the files that it imports. */
export async function evaluateConfig(files: ConfigFiles, draft: NavigationDraft, file: ConfigFile): Promise<Literal> {
  noteFile(draft, file)
  const { literal, modules } = await files.evaluate(file)
  for (const { fault } of modules) if (fault !== null && !draft.faults.includes(fault)) draft.faults.push(fault)
  return literal
}

/** Returns the string items of a list. */
export function toTexts(literal: Literal | null): string[] {
  return toItems(literal).flatMap((item) => (item.kind === 'string' ? [item.value] : []))
}

interface EntryInput {
  readonly trail: readonly string[]
  readonly candidates: readonly string[]
  readonly exact?: boolean
  /** The part of the string that names the page. Default: the whole string. */
  readonly page?: string
}

/** A string literal and the file that contains it, unless the literal contains the file. */
interface Place {
  readonly file: LiteralFile
  readonly literal: Literal
}

/** Adds a string literal as an entry that names a page. */
export function addEntry(files: ConfigFiles, draft: NavigationDraft, at: Place, input: EntryInput): void {
  const { literal } = at
  if (literal.kind !== 'string' || draft.entries.length >= MAX_ENTRIES) return
  const file = literal.file ?? at.file
  const { start, end } = literal.isComputed ? literal : toTextRange(file.text, literal)
  const { trail, candidates, exact = true, page = literal.value } = input
  const computed = literal.isComputed ? { isComputed: literal.isComputed } : {}
  const line = files.toLine(file, start)
  draft.entries.push({ file: file.path, line, page, trail, candidates, exact, start, end, ...computed })
  if (!draft.files.includes(file.path)) draft.files.push(file.path)
}

/** Matches conditions of redirects in the configuration of Next.js, Vercel and Netlify. */
const CONDITION = /^(?:has|missing|conditions|query)$/

export function toRedirect(
  files: ConfigFiles,
  at: Place,
  source: Literal | null,
  destination: Literal | null,
): SiteRedirect | null {
  if (source?.kind !== 'string' || destination?.kind !== 'string') return null
  const pattern = /[*(){}[\]$]|\/:|^:/.test(`${source.value}${destination.value.replace(/^[a-z]+:\/\//i, '')}`)
  const file = source.file ?? at.file
  const line = files.toLine(file, source.start)
  const isConditional = toProperties(at.literal).some(({ key }) => CONDITION.test(key))
  const redirect = { file: file.path, line, source: source.value, destination: destination.value, pattern }
  return isConditional ? { ...redirect, isConditional } : redirect
}

/** Returns the redirects in a map from sources to destinations. */
export function toRedirects(files: ConfigFiles, file: ConfigFile, map: Literal | null): SiteRedirect[] {
  return toProperties(map).flatMap((property) => {
    const { key, keyStart, keyEnd, value } = property
    const source: Literal = { kind: 'string', value: key, start: keyStart, end: keyEnd, file: property.file ?? file }
    const destination = value.kind === 'object' ? findProperty(value, 'destination') : value
    return toRedirect(files, { file, literal: source }, source, destination) ?? []
  })
}

/** Returns the files that a path without an extension may refer to. */
export function toPageCandidates(folder: string, path: string): string[] {
  const full = joinPath(folder, path.replace(/^\/+/, ''))
  if (full === null) return []
  if (PAGE.test(full)) return [full]
  const inner = full === '' ? 'index' : `${full}/index`
  const own = full === '' ? [] : [`${full}.mdx`, `${full}.md`]
  return [...own, `${inner}.mdx`, `${inner}.md`]
}

type SiteParts = Partial<Omit<SiteReading, 'navigation' | 'redirects'>> &
  Pick<SiteReading, 'root' | 'config' | 'content'>

/** Builds a site from these parts, with defaults for the rest. */
export function buildSite(
  parts: SiteParts,
  draft: NavigationDraft,
  redirects: readonly SiteRedirect[] = [],
  redirectFiles: readonly string[] = [],
  complete = true,
): SiteReading {
  return {
    base: '',
    ignored: [],
    publicFolders: [],
    languages: [],
    addresses: 'known',
    openUrls: [],
    languageFallback: false,
    ...parts,
    navigation: {
      mode: draft.mode,
      generated: draft.generated,
      omitted: draft.omitted,
      entries: draft.entries,
      files: draft.files,
    },
    redirects: { list: redirects.slice(0, MAX_REDIRECTS), files: redirectFiles, complete },
    faults: [...draft.faults, ...(parts.faults ?? [])],
  }
}

/** Normalizes `/x/` and `x` to `/x`, and the root to an empty string. */
export function toBase(value: string | null): string {
  const path = (value ?? '').replace(/^[a-z]+:\/\/[^/]*/i, '')
  const trimmed = path.replace(/^\/+|(?<!\/)\/+$/g, '')
  return trimmed === '' ? '' : `/${trimmed}`
}
