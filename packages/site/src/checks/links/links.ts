import { resolvePageLink } from '../../links/resolve-page-link.ts'
import type { PageContent } from '../../pages/page-content.ts'
import type { Check, CheckInput, Found } from '../../reading/check.ts'
import { findDoubtful, pickIssues } from '../../reading/judge-links.ts'
import type { LinkSide } from '../../reading/link-side.ts'
import type { Problem } from '../../reading/problem.ts'
import { readOrNull } from '../../reading/read-base.ts'
import { decodeText } from '../../workspace/text-file.ts'

const MAX_BYTES = 524_288
const SCRIPT = /\.[cm]?[jt]sx?$/
const COMPONENT = /\.(?:mdx?|astro|vue|svelte)$/
/** Matches code whose exports have names that another file or a computation determines. */
const OPEN_EXPORTS = /\bexport\s*\*|\bexports\b|\bexport\s*=/

/** Links, imports and includes that lead to no page or file. */
export const links = {
  name: 'links',
  issues: {
    link_broken: 'blocks',
    import_missing: 'breaks_page',
    export_missing: 'blocks',
    include_missing: 'blocks',
  },
  async find(input) {
    const own = pickIssues(input.links, 'link_broken', 'import_missing', 'include_missing')
    const exports = await findChangedExports(input)
    return { before: [...own.before, ...exports.before], after: [...own.after, ...exports.after] }
  },
  findUnjudged: (input) => findDoubtful(input.now.sites, input.links, 'links'),
} as const satisfies Check

/** Returns the names that changed pages import from files that do not export them. */
async function findChangedExports({ workspace, base, now }: CheckInput): Promise<Found> {
  const after = await findMissingExports({
    side: now,
    pages: now.changed,
    read: (path) => readOrNull(() => workspace.read(path)),
  })
  if (after.length === 0) return { before: [], after }
  const pages = await base.pages.read(() =>
    [...now.changed.keys()].map((path) => [path, base.contentOf(path)] as const),
  )
  const before = await findMissingExports({
    side: base,
    pages,
    read: (path) => readOrNull(() => workspace.readBase(path)),
  })
  return { before, after }
}

interface ExportsInput {
  readonly side: LinkSide
  readonly pages: Iterable<readonly [path: string, content: PageContent | null | undefined]>
  /** Returns null if the file cannot be read. */
  read(path: string): Promise<Uint8Array | null>
}

/**
 * Returns the named imports of pages from files that do not contain the name at all. A file that
 * contains the name is not judged.
 */
async function findMissingExports({ side, pages, read }: ExportsInput): Promise<Problem[]> {
  const problems: Problem[] = []
  const texts = new Map<string, string | null>()
  for (const [page, content] of pages) {
    for (const { href, name, line } of content?.imports ?? []) {
      const { verdict, paths } = resolvePageLink(side.index, page, { kind: 'import', href })
      const [path] = paths
      if (verdict !== 'yes' || path === undefined) continue
      const text = texts.has(path) ? (texts.get(path) ?? null) : await readText(path, read)
      texts.set(path, text)
      if (text === null || name === 'default' || text.split(/[^\w$]+/).includes(name)) continue
      const message = `The imported file ${JSON.stringify(href)} does not export "${name}".`
      const subject = `${href}#${name}`
      problems.push({ code: 'export_missing', path: page, line, subject, message })
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
