import type { PageComponent } from './collect-components.ts'
import type { NamedImport } from './collect-imports.ts'
import type { UndefinedLabel } from './find-labels.ts'
import type { HidingForm } from './hiding-form.ts'
import type { Notation } from './notation.ts'
import type { OpenBlock } from './open-block.ts'
import type { PageFacts } from './read-page-facts.ts'

/** A link as written in a page. */
export interface PageLink {
  /**
   * `link` and `image`: Markdown links and images; their definitions count as links. `attribute`:
   * `href`, `src` and similar attributes of a tag. `import`: a file imported by MDX or a script.
   * `include`: a file whose content is inserted.
   */
  readonly kind: 'link' | 'image' | 'attribute' | 'import' | 'include'
  /** For references other than Markdown links and tags. */
  readonly notation?: Notation
  /** For links in text that only some frameworks do not show: the notation of this text. */
  readonly hiding?: HidingForm
  /** Escapes and character references are resolved. Percent-encoding is kept as written. */
  readonly href: string
  /** 1-based. */
  readonly line: number
  /** Offsets of the destination, if the page's text contains it as parsed. */
  readonly start?: number
  readonly end?: number
  /**
   * The start of the text of a Markdown link or image as written, or of the other parts of the tag.
   */
  readonly text?: string
}

/** A problem within one page. The caller adds the path. */
export interface PageProblem {
  readonly code: string
  readonly line: number | null
  readonly subject: string
  readonly message: string
}

/** The first syntax error in a page. */
export interface SyntaxFault {
  /** 1-based; null if the parser reports no line. */
  readonly line: number | null
  readonly message: string
}

/**
 * All page data that the checks need. It is plain data that depends only on the bytes and the
 * dialect, and can be sent between threads.
 */
export interface PageContent {
  readonly problems: readonly PageProblem[]
  readonly links: readonly PageLink[]
  /** Ids that links can point to, folded by `foldAnchor` and `foldAscii`. */
  readonly anchors: readonly string[]
  /**
   * True if the page may have ids that neither its text nor the named sources contain, because of
   * macros or unknown components.
   */
  readonly moreAnchors: boolean
  /** True if `moreAnchors` is true only because of expressions in double braces. */
  readonly onlyTemplates: boolean
  /** Imported files, as written, whose components may add ids. */
  readonly idSources: readonly string[]
  /** Included files and templates that may add ids. */
  readonly idIncludes: readonly PageLink[]
  /** Blocks that the site's framework may not close. */
  readonly openBlocks: readonly OpenBlock[]
  /** Labels that the page defines, and labels that it uses without a definition. */
  readonly definitions: readonly string[]
  readonly undefinedLabels: readonly UndefinedLabel[]
  /**
   * Components that the page uses and neither imports nor defines. Empty unless it is valid MDX.
   */
  readonly components: readonly PageComponent[]
  readonly imports: readonly NamedImport[]
  /** Facts from the front matter; null if the page could not be read. */
  readonly facts: PageFacts | null
  /** Reason why the page was not read, as part of a sentence; null if it was read. */
  readonly unread: string | null
}

/** Content without any parts. */
export const EMPTY_CONTENT: PageContent = {
  problems: [],
  links: [],
  anchors: [],
  moreAnchors: false,
  onlyTemplates: false,
  idSources: [],
  idIncludes: [],
  openBlocks: [],
  definitions: [],
  undefinedLabels: [],
  components: [],
  imports: [],
  facts: null,
  unread: null,
}

/** The content of a page that was not parsed. */
export function buildUnread(reason: string, problems: readonly PageProblem[] = []): PageContent {
  return { ...EMPTY_CONTENT, problems, moreAnchors: true, unread: reason }
}
