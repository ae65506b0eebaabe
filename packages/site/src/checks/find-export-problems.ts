import { decodeText } from '@corrigenda/git/workspace'
import type { PageContent } from '../pages/page-content.ts'
import type { Problem } from '../pages/problem.ts'
import type { LinkSide } from './link-side.ts'
import { resolvePageLink } from './resolve-page-link.ts'

interface ExportsInput {
  readonly side: LinkSide
  readonly pages: Iterable<readonly [path: string, content: PageContent | null | undefined]>
  /** Returns null if the file cannot be read. */
  read(path: string): Promise<Uint8Array | null>
}

const MAX_BYTES = 524_288
const SCRIPT = /\.[cm]?[jt]sx?$/
const COMPONENT = /\.(?:mdx?|astro|vue|svelte)$/
/** Matches code whose exports have names that another file or a computation determines. */
const OPEN_EXPORTS = /\bexport\s*\*|\bexports\b|\bexport\s*=/

/**
 * Returns the named imports of pages from files that do not contain the name at all. A file that
 * contains the name is not judged.
 */
export async function findExportProblems({ side, pages, read }: ExportsInput): Promise<Problem[]> {
  const problems: Problem[] = []
  const texts = new Map<string, string | null>()
  for (const [page, content] of pages) {
    for (const { href, name, line } of content?.imports ?? []) {
      const { verdict, paths } = resolvePageLink(side.index, page, { kind: 'import', href, line })
      const [path] = paths
      if (verdict !== 'yes' || path === undefined) continue
      const text = texts.has(path) ? (texts.get(path) ?? null) : await readText(path, read)
      texts.set(path, text)
      if (text === null || name === 'default' || text.split(/[^\w$]+/).includes(name)) continue
      const message = `The imported file ${JSON.stringify(href)} does not export "${name}".`
      const subject = `${href}#${name}`
      problems.push({ check: 'links', code: 'export_missing', path: page, line, subject, message })
    }
  }
  return problems
}

/** Returns the text of a file if it shows all its exports. */
async function readText(path: string, read: ExportsInput['read']): Promise<string | null> {
  if (!SCRIPT.test(path) && !COMPONENT.test(path)) return null
  const bytes = await read(path)
  const file = bytes === null || bytes.length > MAX_BYTES ? 'unread' : decodeText(bytes)
  if (typeof file === 'string' || OPEN_EXPORTS.test(file.text)) return null
  return COMPONENT.test(path) || /\bexport\b/.test(file.text) ? file.text : null
}
