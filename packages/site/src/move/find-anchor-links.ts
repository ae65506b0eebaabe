import { foldAnchor } from '../pages/fold-anchor.ts'
import { decodePath } from '../pages/paths.ts'
import type { LinkSpan } from '../pages/read-layout.ts'
import { MoveError } from './move-error.ts'
import type { Repository } from './read-repository.ts'
import { findAnchorTarget } from './rename-anchor.ts'
import { MAX_CHARS } from './rewrite-links.ts'

/** A link that leads to an anchor in a page. */
interface AnchorLink {
  readonly page: string
  readonly span: LinkSpan
  /** Decoded. */
  readonly anchor: string
}

/** The links with an anchor, and the pages that may contain one but do not parse. */
interface AnchorLinks {
  readonly links: readonly AnchorLink[]
  readonly unparsed: readonly string[]
}

/**
 * Finds the links to any of the given anchors in a page, in every page of the repository. Anchors
 * are compared by `foldAnchor`. Pages that do not contain such an anchor are not parsed.
 * @throws MoveError if the pages that may contain such links have too much text
 */
export async function findAnchorLinks(
  repository: Repository,
  path: string,
  anchors: Iterable<string>,
): Promise<AnchorLinks> {
  const wanted = new Set(Array.from(anchors, foldAnchor).filter((anchor) => anchor !== ''))
  const isWanted = (href: string) => {
    const at = href.indexOf('#')
    return at !== -1 && wanted.has(foldAnchor(decodePath(href.slice(at + 1))))
  }
  const pages = [...repository.scans].filter(([, { shown, hidden }]) =>
    [...shown, ...hidden].some(({ href }) => isWanted(href)),
  )
  const chars = pages.reduce((sum, [, scan]) => sum + scan.chars, 0)
  if (chars > MAX_CHARS) {
    throw new MoveError(
      `${pages.length} pages may link to the heading, and their ${chars} characters exceed the limit of ${MAX_CHARS}.`,
    )
  }
  await repository.load(pages.map(([page]) => page))
  const links: AnchorLink[] = []
  const unparsed: string[] = []
  for (const [page] of pages) {
    const spans = repository.findSpans(page)
    if (spans === null) unparsed.push(page)
    for (const span of spans ?? []) {
      const target = isWanted(span.href) ? findAnchorTarget(repository.index, page, span) : null
      if (target?.path === path) links.push({ page, span, anchor: target.anchor })
    }
    await new Promise((resolve) => setImmediate(resolve))
  }
  return { links, unparsed }
}
