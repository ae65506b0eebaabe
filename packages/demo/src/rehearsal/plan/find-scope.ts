import { findPage } from './find-page.ts'
import { listPages } from './list-pages.ts'
import type { Plan } from './plan.ts'

/** The files that a phrase names, as a glob; null for all files. */
export type Scope = { glob: string | null; label: string } | { question: string }

const EVERYTHING =
  /^(?:(?:all|every|each|any|the|our|whole|entire|complete|of|everywhere|across|in|throughout|on)\s*)*(?:docs?|documentation|sites?|repo|repository|pages?|files?|everything|everywhere|places?|it|project|text)?(?: pages)?$/i

/** Finds the pages or folders that a phrase names, such as `the guides` or `the start page`. */
export function* findScope(phrase: string | null): Plan<Scope> {
  const text = phrase?.trim().replace(/[.,;:!?]+$/, '') ?? ''
  if (EVERYTHING.test(text)) return { glob: null, label: '' }
  const glob = text.replace(/^["']|["']$/g, '')
  if (/[*{]/.test(glob)) return { glob, label: ` in ${glob}` }
  const folders = [
    ...new Set((yield* listPages()).flatMap(({ path }) => (path.includes('/') ? [path.split('/')[0] ?? ''] : []))),
  ]
  const globs: string[] = []
  for (const part of text.split(/\s*(?:,|\band\b|&)\s*/i).filter(Boolean)) {
    const name = part.replace(/^(?:all|the|our|in)\s+/gi, '').replace(/^(?:the|our)\s+/i, '')
    const bare = name.replace(/\s*(?:pages?|folder|directory|section|guides|docs|reference)$/i, '').replace(/\/$/, '')
    const folder = folders.find((one) => [name, bare].some((word) => isFolder(one, word, part)))
    if (folder) {
      globs.push(`${folder}/**`)
      continue
    }
    const found = yield* findPage(name)
    if ('question' in found) return found
    globs.push(found.page.path)
  }
  const [only = null] = globs
  const joined = globs.length > 1 ? `{${globs.join(',')}}` : only
  return { glob: joined, label: joined === null ? '' : ` in ${joined}` }
}

/** A folder's name alone means the folder. `the calendars page` never does. */
function isFolder(folder: string, word: string, part: string): boolean {
  if (/\bpage$/i.test(part)) return false
  const [a, b] = [folder, word].map((text) => text.toLowerCase().replace(/s$/, ''))
  return a === b || (folder === 'cli' && /^(?:commands?|command[ -]line)$/i.test(word))
}
