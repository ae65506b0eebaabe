import { Reviewer } from '@corrigenda/contracts'
import { decodeText, type Workspace, type WorkspaceChange, WorkspaceError } from '@corrigenda/git/workspace'
import { RE2JS } from 're2js'

/**
 * Returns the owners of the changed files according to the base commit's CODEOWNERS file and
 * GitHub's rules. Returns an empty list if that file is missing or cannot be read.
 */
export async function findCodeOwners(
  workspace: Pick<Workspace, 'listBase' | 'readBase'>,
  changes: readonly WorkspaceChange[],
): Promise<string[]> {
  const files = new Set((await workspace.listBase()).flatMap(({ path, kind }) => (kind === 'file' ? [path] : [])))
  const place = CODEOWNERS_PLACES.find((path) => files.has(path))
  const bytes = place === undefined ? null : await readSmall(workspace, place)
  if (bytes === null || bytes.length > MAX_CODEOWNERS_BYTES) return []
  const file = decodeText(bytes)
  return typeof file === 'string'
    ? []
    : listCodeOwners(
        file.text,
        changes.map(({ path }) => path),
      )
}

/** Returns a file's bytes, or null if the file cannot be read, for example because it is too large. */
async function readSmall(workspace: Pick<Workspace, 'readBase'>, path: string): Promise<Uint8Array | null> {
  try {
    return await workspace.readBase(path)
  } catch (error) {
    if (error instanceof WorkspaceError) return null
    throw error
  }
}

/** Locations that GitHub searches, in order. The first existing file is used. */
const CODEOWNERS_PLACES: readonly string[] = ['.github/CODEOWNERS', 'CODEOWNERS', 'docs/CODEOWNERS']

/** Maximum file size. GitHub does not load larger files. */
const MAX_CODEOWNERS_BYTES = 3_000_000

const MAX_PATTERN_CHARS = 500
const MAX_RULES = 20_000

interface Rule {
  readonly pattern: string
  readonly owners: readonly string[]
}

/**
 * Returns the owners of the files according to GitHub's rules for CODEOWNERS. The last matching
 * line determines a file's owners, even if it lists no owners. Owners are logins or
 * `organization/team` names, ordered by the number of files they own, highest first. Email
 * addresses cannot be requested as reviewers and are skipped. Patterns that contain `[…]`, or start
 * with `!` or an escaped `#`, are skipped, as on GitHub.
 */
export function listCodeOwners(text: string, paths: readonly string[]): string[] {
  const rules = readRules(text).toReversed()
  const matchers = new Map<string, (path: string) => boolean>()
  const matches = ({ pattern }: Rule, path: string): boolean => {
    const known = matchers.get(pattern) ?? buildMatcher(pattern)
    matchers.set(pattern, known)
    return known(path)
  }
  const counts = new Map<string, number>()
  for (const path of paths) {
    const rule = rules.find((one) => matches(one, path))
    for (const owner of new Set(rule?.owners)) counts.set(owner, (counts.get(owner) ?? 0) + 1)
  }
  return [...counts].sort((a, b) => b[1] - a[1]).map(([owner]) => owner)
}

function readRules(text: string): Rule[] {
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n?|\n/)
  // The last matching rule takes precedence, so the end of the file is kept.
  return lines.slice(-MAX_RULES).flatMap((line) => {
    const words = splitWords(line)
    const [pattern] = words
    if (pattern === undefined || pattern.length > MAX_PATTERN_CHARS) return []
    if (/^(!|\\#)|[[\]]|\*\*\*/.test(pattern)) return []
    return [{ pattern, owners: words.slice(1).flatMap(toReviewer) }]
  })
}

/** Splits a line into words, up to the comment. A space after a backslash is part of the word. */
function splitWords(line: string): string[] {
  const words = line.match(/(?:\\.|[^\s\\])+/g) ?? []
  const comment = words.findIndex((word) => word.startsWith('#'))
  return comment === -1 ? words : words.slice(0, comment)
}

function toReviewer(owner: string): string[] {
  const name = Reviewer.safeParse(owner.replace(/^@/, ''))
  return owner.startsWith('@') && name.success ? [name.data] : []
}

/**
 * Builds a matcher for a pattern. Patterns come from repositories, so they run on an engine without
 * backtracking.
 */
function buildMatcher(pattern: string): (path: string) => boolean {
  const source = toSource(pattern)
  if (source === null) return () => false
  const compiled = RE2JS.compile(source, RE2JS.DOTALL)
  return (path) => compiled.matches(path)
}

/**
 * Converts a pattern to a regular expression for whole paths. Returns null if it matches nothing.
 */
function toSource(pattern: string): string | null {
  if (pattern === '/') return null
  const parts = pattern.split('/')
  const isAnchored = parts.length > 2 || (parts.length === 2 && parts[1] !== '')
  if (parts[0] === '') parts.shift()
  else if (!isAnchored && parts[0] !== '**') parts.unshift('**')
  // A trailing slash selects the folder's entire contents.
  if (parts.at(-1) === '') parts[parts.length - 1] = '**'
  let source = ''
  for (const [index, part] of parts.entries()) {
    const isLast = index === parts.length - 1
    if (part === '**') {
      if (isLast) source += '.+'
      else source += '(?:.+/)?'
      continue
    }
    source += toPartSource(part)
    if (!isLast) source += '/'
    // The name may also refer to a folder, except that `docs/*` matches only files directly in
    // `docs`.
    else if (part !== '*') source += '(?:/.*)?'
  }
  return source
}

function toPartSource(part: string): string {
  let source = ''
  for (let at = 0; at < part.length; at += 1) {
    const char = part[at] ?? ''
    if (char === '*') source += '[^/]*'
    else if (char === '?') source += '[^/]'
    else if (char === '\\' && at + 1 < part.length) {
      at += 1
      source += RE2JS.quote(part[at] ?? '')
    } else source += RE2JS.quote(char)
  }
  return source === '[^/]*' ? '[^/]+' : source
}
