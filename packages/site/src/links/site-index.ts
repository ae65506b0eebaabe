import type { Site } from '../frameworks/framework.ts'
import type { SiteRedirect } from '../frameworks/site.ts'
import type { PageFacts } from '../pages/read-page-facts.ts'

/** `unknown` means that the files do not determine the result. Checks then report no problem. */
export type Verdict = 'yes' | 'no' | 'unknown'

/** The resolved target of a link. */
export interface LinkTarget {
  /**
   * `yes`: resolves to `paths` or a redirect. `no`: does not resolve. `unknown`: not checked
   * (another host, an expression, an opaque folder).
   */
  readonly verdict: Verdict
  /**
   * Why the verdict is `unknown`; null for other verdicts. `site`: the site may have pages without
   * files. `link`: links of this form are not checked. `route`: a dynamic route may serve the URL.
   * `elsewhere`: a redirect pattern or another site may serve the URL.
   */
  readonly doubt: 'site' | 'link' | 'route' | 'elsewhere' | null
  /**
   * For `site`, the outermost folder of the URL that contains no known page, such as `/docs/next`.
   * Null if the folder of the URL contains known pages.
   */
  readonly area: string | null
  /**
   * Existing files that may be the target, best match first. Contains several files if file and URL
   * rules match different files.
   */
  readonly paths: readonly string[]
  /** Decoded text after `#`, or null if the link has no anchor. */
  readonly anchor: string | null
  /** The matching redirect; null if a file matches. */
  readonly redirect: SiteRedirect | null
  /**
   * `page`: the same file (only an anchor). `relative` and `absolute`: in this repository.
   * `external`: another host or scheme.
   */
  readonly kind: 'page' | 'relative' | 'absolute' | 'external'
  /** True if the link leads to a folder. */
  readonly isFolder: boolean
}

/**
 * A repository's files and URLs, built by `buildSiteIndex`. Not intended to be copied between
 * threads.
 */
export interface SiteIndex {
  readonly sites: readonly Site[]
  readonly files: ReadonlySet<string>
  readonly folders: ReadonlySet<string>
  /** Pages keyed by URL, as returned by `toUrls`, per site in the order of `sites`. */
  readonly pages: readonly ReadonlyMap<string, readonly string[]>[]
  /**
   * Folders of page URLs without a leading slash, per site in the order of `sites`.
   */
  readonly urlFolders: readonly ReadonlySet<string>[]
  /** Docusaurus pages keyed by front matter id, per site in the order of `sites`. */
  readonly ids: readonly ReadonlyMap<string, readonly string[]>[]
  /** Pages keyed by the labels that they define, per site in the order of `sites`. */
  readonly labels: readonly ReadonlyMap<string, readonly string[]>[]
  /** True for each site with unread pages, whose front matter may define unknown names. */
  readonly unread: readonly boolean[]
  /** Pages listed by a navigation entry, per site in the order of `sites`. */
  readonly named: readonly ReadonlySet<string>[]
  /**
   * Redirects without patterns keyed by source URL, and redirects with patterns, per site in the
   * order of `sites`.
   */
  readonly redirects: readonly {
    readonly plain: ReadonlyMap<string, SiteRedirect>
    readonly patterns: readonly SiteRedirect[]
  }[]
  /** Front matter keyed by page. A page without an entry was not read. */
  readonly facts: ReadonlyMap<string, PageFacts>
}
