import type { SiteTree } from '../tree/site-tree.ts'
import type { DocPage } from './read-page.ts'

/** Where a site's files are, as stated by the corpus or the caller. */
export interface SiteLayout {
  readonly framework: string
  /** Folders that contain the site's pages; the empty string is the whole repository. */
  readonly content: readonly string[]
  /** Files and folders in the content folders that are not pages of the site. */
  readonly exclude?: readonly string[]
  /** True if `.md` pages are MDX, as in Docusaurus 3. */
  readonly hasMdxMarkdown?: boolean
  /** True if the framework parses no page with MDX 2 or newer. */
  readonly hasNoMdx?: boolean
}

export interface ResolvedLink {
  /** An existing file. */
  readonly file: string
  /** Without `#`; null if the link has none. */
  readonly anchor: string | null
}

export interface InboundLink {
  readonly page: DocPage
  readonly at: number
  readonly anchor: string | null
}

/**
 * A documentation site as the corpus understands it. Nothing here uses the product's code, because
 * its results judge the product.
 */
export interface DocSite {
  readonly layout: SiteLayout
  readonly tree: SiteTree
  readonly files: ReadonlySet<string>
  /** All Markdown pages of the repository. */
  readonly pages: ReadonlyMap<string, DocPage>
  /** Pages in the content folders. */
  readonly content: readonly DocPage[]
  /** Navigation, configuration and redirect files. */
  readonly navigation: readonly string[]
  /** Resolves a destination as written in a page; null if it leads to no file. */
  resolve(page: string, href: string): ResolvedLink | null
  /** Resolves a scalar of a navigation or redirect file. */
  resolveEntry(file: string, value: string): string | null
  /** What each page's links lead to, in their order. */
  readonly targets: ReadonlyMap<string, readonly (ResolvedLink | null)[]>
  /** Links that resolve, by the file they lead to. */
  readonly inbound: ReadonlyMap<string, readonly InboundLink[]>
}
