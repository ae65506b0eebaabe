import { createHash } from 'node:crypto'
import type { Dialect } from '../agent/detect-framework.ts'
import { decodeText } from '../agent/text-file.ts'
import { findFrontmatterProblems } from './find-frontmatter-problems.ts'
import { findSyntaxProblems } from './find-syntax-problems.ts'
import type { Problem } from './problem.ts'

/** Faults by content, so that a page is parsed once however often it is checked. Oldest entries go first. */
export type PageCache = Map<string, readonly Problem[]>

/** Larger pages are not parsed: parsing costs about 2 s of CPU per MB. */
export const MAX_PAGE_BYTES = 1_048_576
const MAX_ENTRIES = 20_000

/** Syntax and front matter faults of one page. Pages that are not UTF-8 text have none that could be named. */
export function findPageProblems(
  path: string,
  bytes: Uint8Array,
  dialect: Dialect,
  cache: PageCache,
): readonly Problem[] {
  if (bytes.length > MAX_PAGE_BYTES) return []
  const key = `${dialect}:${createHash('sha256').update(bytes).digest('base64')}`
  const known = cache.get(key)
  const problems = known ?? parsePage(bytes, dialect)
  if (known === undefined) {
    cache.set(key, problems)
    if (cache.size > MAX_ENTRIES) for (const oldest of cache.keys()) if (cache.delete(oldest)) break
  }
  return problems.map((problem) => ({ ...problem, path }))
}

function parsePage(bytes: Uint8Array, dialect: Dialect): readonly Problem[] {
  const file = decodeText(bytes)
  if (typeof file === 'string') return []
  const frontmatter = findFrontmatterProblems('', file.text)
  // An unclosed block is read as page text, where it would only be reported again under another name.
  if (frontmatter.some((problem) => problem.code === 'frontmatter_unclosed')) return frontmatter
  return [...frontmatter, ...findSyntaxProblems('', file.text, dialect)]
}
