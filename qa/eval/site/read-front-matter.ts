import { parseDocument } from 'yaml'
import { toPlain } from '../task/tree.ts'

/**
 * Returns the top-level keys of a page's front matter with their values as text, or null if the
 * front matter is missing or invalid.
 */
export function readFrontMatter(text: string): ReadonlyMap<string, string> | null {
  const yaml = /^---\n([\s\S]*?)\n?---(\n|$)/.exec(toPlain(text))?.[1]
  if (yaml === undefined) return null
  const document = parseDocument(yaml, { logLevel: 'silent' })
  const value: unknown = document.errors.length > 0 ? null : document.toJS({ maxAliasCount: 10 })
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null
  return new Map(
    Object.entries(value).map(([key, one]) => [key, typeof one === 'string' ? one : (JSON.stringify(one) ?? '')]),
  )
}
