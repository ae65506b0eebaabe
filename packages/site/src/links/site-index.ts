import type { Site } from '../frameworks/framework.ts'
import type { SiteRedirect } from '../frameworks/site.ts'
import type { PageFacts } from '../pages/read-page-facts.ts'

/** `unknown` means that the files do not determine the result. Checks then report nothing. */
export type Verdict = 'yes' | 'no' | 'unknown'

/** The resolved target of a link. */
export interface LinkTarget {
  /**
   * `yes`: resolves to `paths` or a redirect. `no`: resolves to nothing. `unknown`: not checked
   * (another host, an expression, an opaque folder).
   */
  readonly verdict: Verdict
  /**
   * Possible files, best match first. There are several if file and URL rules differ. Contains
   * only existing files.
   */
  readonly paths: readonly string[]
  /** Decoded text after `#`; null if there is none. */
  readonly anchor: string | null
  /** The matching redirect; null if a file matches. */
  readonly redirect: SiteRedirect | null
  /**
   * `page`: the same file (only an anchor). `relative` and `absolute`: in this repository.
   * `external`: another host or scheme.
   */
  readonly kind: 'page' | 'relative' | 'absolute' | 'external'
}

/**
 * Files and URLs of a repository, from `buildSiteIndex`. Not intended to be copied between
 * threads.
 */
export interface SiteIndex {
  readonly sites: readonly Site[]
  readonly files: ReadonlySet<string>
  readonly folders: ReadonlySet<string>
  /**
   * Pages by URL, per site in the order of `sites`. URLs are in the format of `toUrls`.
   */
  readonly pages: readonly ReadonlyMap<string, readonly string[]>[]
  /** Docusaurus: pages by the id in their front matter, per site in the order of `sites`. */
  readonly ids: readonly ReadonlyMap<string, readonly string[]>[]
  /** True for each site with unread pages, whose front matter may define unknown names. */
  readonly unread: readonly boolean[]
  /** Pages listed by a navigation entry, per site in the order of `sites`. */
  readonly named: readonly ReadonlySet<string>[]
  /**
   * Redirects without patterns by source URL, and redirects with patterns, per site in the
   * order of `sites`.
   */
  readonly redirects: readonly {
    readonly plain: ReadonlyMap<string, SiteRedirect>
    readonly patterns: readonly SiteRedirect[]
  }[]
  /** Front matter by page, as provided. A page without an entry was not read. */
  readonly facts: ReadonlyMap<string, PageFacts>
}
