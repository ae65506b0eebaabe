import { findContent, findSite } from '../../frameworks/find-site.ts'
import type { Site } from '../../frameworks/framework.ts'
import type { OpenBlock } from '../../pages/open-block.ts'
import type { PageContent } from '../../pages/page-content.ts'
import { PAGE, toInner, toName } from '../../pages/paths.ts'
import type { Check, CheckInput } from '../../reading/check.ts'
import type { Problem } from '../../reading/problem.ts'
import type { Base, Side } from '../../reading/read-base.ts'
import type { Now } from '../../reading/read-now.ts'

/** Markup that does not parse or is not closed, and names that are not defined. */
export const syntax = {
  name: 'syntax',
  issues: {
    mdx_syntax: 'breaks_page',
    vue_syntax: 'breaks_page',
    component_unknown: ({ framework }) => (framework.components?.isRequired === true ? 'breaks_page' : 'blocks'),
    fence_unclosed: 'blocks',
    block_unclosed: 'blocks',
    block_unopened: 'blocks',
    shortcode_unclosed: 'breaks_page',
    block_empty: 'blocks',
    table_broken: 'blocks',
    reference_undefined: 'blocks',
  },
  async find(input) {
    const { base, now, renames } = input
    const oldPaths = new Map([...renames].map(([from, to]) => [to, from]))
    return await base.pages.read(() => ({
      before: findOwn(base, input, (path) => path),
      after: [...findOwn(now, input, (path) => oldPaths.get(path) ?? path), ...findUnknownComponents(base, now)],
    }))
  },
} as const satisfies Check

/** @param toOldPath returns the path of a page in the base commit */
function findOwn(side: Side, { base, pages }: CheckInput, toOldPath: (path: string) => string): Problem[] {
  const isOpen = buildOpenLabelTest(base)
  return (pages ?? side.paths).flatMap((path): Problem[] => {
    const content = side.contentOf(path)
    if (content === undefined) return []
    return [
      ...content.problems.flatMap((problem) => (problem.code in syntax.issues ? [{ ...problem, path }] : [])),
      ...findBlockFaults(side.sites, path, content, base.pairs),
      ...findUndefinedReferences(side.sites, path, content, base.contentOf(toOldPath(path)), isOpen),
    ]
  })
}

/**
 * Returns the blocks of a page that are not closed and, by the rules of its framework, must be.
 * @param pairs shortcodes that are always closed in the base commit
 */
function findBlockFaults(
  sites: readonly Site[],
  path: string,
  { openBlocks }: PageContent,
  pairs: ReadonlySet<string>,
): Problem[] {
  if (openBlocks.length === 0) return []
  const site = findSite(sites, path)
  const { blocks = [] } = site.framework
  if (findContent(site, path) === null) return []
  return openBlocks.flatMap((block) => {
    if (!blocks.includes(block.form) || (block.form === 'shortcodes' && !pairs.has(block.name))) return []
    return [{ path, line: block.line, subject: block.name, ...toFault(block) }]
  })
}

function toFault({ form, name, end }: OpenBlock): Pick<Problem, 'code' | 'message'> {
  const shown = JSON.stringify(name).slice(1, -1)
  if (form === 'indent') {
    const message = `The text below "${shown}" is not part of it. Indent the text by four spaces.`
    return { code: 'block_empty', message }
  }
  if (name === '') {
    const message = `The end "${end}" belongs to no block and is shown as text. Remove it.`
    return { code: 'block_unopened', message }
  }
  const message = `The ${form === 'shortcodes' ? 'shortcode' : 'block'} "${shown}" is not closed. Add a line "${end}" after its content.`
  return { code: form === 'shortcodes' ? 'shortcode_unclosed' : 'block_unclosed', message }
}

/**
 * Returns a function that returns true for sites whose pages may refer to labels of other pages:
 * the configuration allows it, and a page of the base commit has a reference without a definition.
 */
function buildOpenLabelTest(base: Base): (site: Site) => boolean {
  const known = new Map<string | null, boolean>()
  return (site) => {
    if (!site.hasOpenLabels) return false
    const found =
      known.get(site.config) ??
      [...base.pages.scans].some(
        ([path, scan]) => scan.hasOpenLabels && findSite(base.sites, path).config === site.config,
      )
    known.set(site.config, found)
    return found
  }
}

/**
 * Returns the references of a page to labels that are not defined. Text in brackets counts as a
 * reference if the base commit defines its label. An included file may define labels.
 * @param before the page in the base commit
 * @param isOpen as returned by `buildOpenLabelTest`
 */
function findUndefinedReferences(
  sites: readonly Site[],
  path: string,
  { undefinedLabels, links }: PageContent,
  before: PageContent | undefined,
  isOpen: (site: Site) => boolean,
): Problem[] {
  const known = new Set(before?.definitions ?? [])
  if (undefinedLabels.length === 0) return []
  const site = findSite(sites, path)
  const { labels: shared } = site
  const includes = isOpen(site) || links.some(({ kind, href }) => kind === 'include' && PAGE.test(href))
  return undefinedLabels.flatMap(({ label, shown, line, isCertain }) => {
    if (shared?.has(label) || (!known.has(label) && (includes || !isCertain))) return []
    const message = `The link label ${JSON.stringify(shown)} is not defined. Add a line "[${shown}]: URL".`
    return [{ code: 'reference_undefined', path, line, subject: label, message }]
  })
}

/**
 * Returns the components in changed pages that no import, export or site provides. A name that
 * another page of the site uses without an import at the base commit is provided, whatever the
 * configuration contains.
 */
function findUnknownComponents(base: Base, now: Now): Problem[] {
  return [...now.changed].flatMap(([path, content]) => {
    const site = findSite(now.sites, path)
    const folder = findContent(site, path)
    const { components } = site
    if (content === null || components === null || folder?.kind !== 'docs') return []
    // Other pages may pass components to a page that they include.
    if (toName(path).startsWith('_') || site.framework.partials?.test(toInner(path, folder.folder))) return []
    return content.components.flatMap(({ name, line }): Problem[] => {
      if (components.includes(name) || isUsed(base, site.config, name)) return []
      const message = `The component <${name}> is not imported, and ${site.framework.title} does not provide it. Import it, or correct its name.`
      return [{ code: 'component_unknown', path, line, subject: name, message }]
    })
  })
}

function isUsed(base: Base, config: string | null, name: string): boolean {
  for (const [page, scan] of base.pages.scans)
    if (scan.components.includes(name) && findSite(base.sites, page).config === config) return true
  return false
}
