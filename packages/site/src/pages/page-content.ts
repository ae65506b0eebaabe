import type { PageFacts } from './read-page-facts.ts'

/** A link as a page writes it. */
export interface PageLink {
  /**
   * `link` and `image`: of Markdown; their definitions count as links. `attribute`: `href`, `src` and the like of a tag. `import`: a file
   * that MDX imports.
   */
  readonly kind: 'link' | 'image' | 'attribute' | 'import'
  /** Escapes and character references are resolved; percent signs are as written. */
  readonly href: string
  /** 1-based. */
  readonly line: number
}

/** A fault within one page. The caller knows the path. */
export interface PageProblem {
  readonly check: 'syntax' | 'frontmatter'
  readonly code: string
  readonly line: number | null
  readonly subject: string
  readonly message: string
}

/** The first thing in a page that does not parse. */
export interface SyntaxFault {
  /** 1-based; null when the parser names no line. */
  readonly line: number | null
  readonly message: string
}

/** All that the checks need of a page. Plain data: follows from the bytes and the dialect alone, and may cross threads. */
export interface PageContent {
  readonly problems: readonly PageProblem[]
  readonly links: readonly PageLink[]
  /** Ids that a link may name, folded by `foldAnchor`. */
  readonly anchors: readonly string[]
  /** May the page have ids that its text does not show: includes, macros, components of its own? */
  readonly moreAnchors: boolean
  /** What front matter says; null when the page could not be read. */
  readonly facts: PageFacts | null
  /** Why the page was not read, as part of a sentence; null when it was. */
  readonly unread: string | null
}

export function buildUnread(reason: string, problems: readonly PageProblem[] = []): PageContent {
  return { problems, links: [], anchors: [], moreAnchors: true, facts: null, unread: reason }
}
