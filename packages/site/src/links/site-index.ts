import type { Site } from '../frameworks/framework.ts'
import type { SiteRedirect } from '../frameworks/site.ts'
import type { PageFacts } from '../pages/read-page-facts.ts'

/** `unknown` means that the files do not say. A check reports nothing then. */
export type Verdict = 'yes' | 'no' | 'unknown'

/** What a link leads to. */
export interface LinkTarget {
  /** `yes`: to `paths` or a redirect; `no`: it leads nowhere; `unknown`: not judged (another host, an expression, an opaque folder). */
  readonly verdict: Verdict
  /** Files it may mean, best first; more than one where file and address rules differ. Only files that exist. */
  readonly paths: readonly string[]
  /** Decoded text after `#`; null when there is none. */
  readonly anchor: string | null
  /** The redirect that answers it; null when a file does. */
  readonly redirect: SiteRedirect | null
  /** `page`: its own file (only an anchor); `relative` and `absolute`: of this repository; `external`: another host or scheme. */
  readonly kind: 'page' | 'relative' | 'absolute' | 'external'
}

/** Files and addresses of a repository, from `buildSiteIndex`. Not meant to be copied between threads. */
export interface SiteIndex {
  readonly sites: readonly Site[]
  readonly files: ReadonlySet<string>
  readonly folders: ReadonlySet<string>
  /** Pages by address, per site in the order of `sites`; addresses as `toUrls` gives them. */
  readonly pages: readonly ReadonlyMap<string, readonly string[]>[]
  /** Docusaurus: pages by the id that their front matter gives them, per site in the order of `sites`. */
  readonly ids: readonly ReadonlyMap<string, readonly string[]>[]
  /** Pages of a site that were not read, per site: what they call themselves is not known. */
  readonly unread: readonly boolean[]
  /** Pages that a navigation entry names, per site in the order of `sites`. */
  readonly named: readonly ReadonlySet<string>[]
  /** Redirects without patterns by the address they answer, and those with patterns, per site in the order of `sites`. */
  readonly redirects: readonly {
    readonly plain: ReadonlyMap<string, SiteRedirect>
    readonly patterns: readonly SiteRedirect[]
  }[]
  /** Front matter by page, as given; a page without an entry was not read. */
  readonly facts: ReadonlyMap<string, PageFacts>
}
