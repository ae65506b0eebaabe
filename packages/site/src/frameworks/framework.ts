import type { Splice } from '@corrigenda/git/workspace'
import type { ConfigFile, ConfigFiles } from '../config/config-files.ts'
import type { Literal } from '../config/literal.ts'
import type { Dialect } from '../pages/dialect.ts'
import type { PageFacts } from '../pages/read-page-facts.ts'
import type { ContentFolder, NavigationEntry, SiteReading } from './site.ts'

/**
 * Everything the product knows about one documentation framework. Code outside the framework's folder asks this object and
 * never compares names. A new framework is one folder beside this file and one line in `sites/all-frameworks.ts`.
 */
export interface Framework {
  /** Stable identifier in lower case. */
  readonly name: string
  /** The name people use, for the prompt. */
  readonly title: string
  /** How its sites are found, in order. */
  readonly detections: readonly Detection[]
  /** Read a site from its main configuration file. Null when the file belongs to something else. Runs no code. */
  read(files: ConfigFiles, config: string): Promise<SiteReading | null>

  /** How pages are parsed: `.mdx` files, other Markdown files in a content folder, and both in words for the prompt. */
  readonly dialects: { readonly mdx: Dialect; readonly md: Dialect; readonly words: string }
  /** What a writer needs to know beyond the files, as one sentence for the prompt; null when there is nothing. */
  readonly rule: string | null
  /** Globs of its navigation files that the agent may write by default. Markdown pages are always allowed. */
  readonly writable: readonly string[]
  /** Languages that a configuration file names for translations. */
  readLanguages?(bytes: Uint8Array): readonly ConfiguredLanguage[]

  /** Addresses of a page below the URL of its content folder, the usual one first. Empty when the path does not give them. */
  toRoutes(page: PagePlace): readonly string[]
  /** The id that front matter gives a page, as navigation entries write it. */
  toId?(page: string, content: ContentFolder, id: string): string
  /** What an entry that matches no file names instead: the id or the address in a page's front matter. */
  readonly entryNames?: 'id' | 'address'
  /** How an entry in the place of `like` names a page. Null when it cannot. */
  toEntry(input: EntryPlace): string | null

  /** Pages that no entry names are shown as well; the navigation only orders them. */
  readonly showsUnlisted?: true
  /** Translations use the navigation of the main language. */
  readonly translationsShareNavigation?: true
  /** Absolute links that resolve to nothing are broken. False when the files do not say where the site is served. */
  readonly checksAbsoluteLinks: boolean
  /** Plugins or rewrites may add pages at paths that have no file. */
  readonly addsPages?: true
  /** Addresses of pages that the framework generates itself, with a slash at the end. */
  readonly generatedUrls?: RegExp
  /** Addresses end with a slash, so relative links start inside the page's own address. */
  readonly trailingSlash?: true
  /** Redirects in the framework's own configuration; absent when it has none that can be edited. */
  readonly redirects?: RedirectFormat
}

export interface Detection {
  /** Matches paths of main configuration files. */
  readonly config: RegExp
  /** A match is ignored beside another configuration of this framework in the same folder. */
  readonly older?: RegExp
  /** A match inside a content folder of a site that was found before belongs to that site. */
  readonly yields?: true
}

/** One documentation site of a repository, as its files describe it. */
export interface Site extends SiteReading {
  /** Code outside the framework's folder asks this object instead of comparing names. */
  readonly framework: Framework
}

export interface ConfiguredLanguage {
  /** As written. */
  readonly code: string
  readonly isDefault: boolean
}

/** A page in a content folder. */
export interface PagePlace {
  readonly content: ContentFolder
  /** Path relative to the content folder. */
  readonly inner: string
  /** `inner` without its extension. */
  readonly route: string
  readonly facts: PageFacts | null
}

export interface EntryPlace {
  readonly site: Site
  /** The entry whose form is used: slash, dots, extension. */
  readonly like: NavigationEntry
  readonly page: string
  /** The content folder of `page`; null when it is outside of all. */
  readonly content: ContentFolder | null
  readonly facts: PageFacts | null
}

/** The two ends of a redirect, as the configuration names them. */
export interface RedirectNames {
  readonly source: string
  readonly destination: string
}

export interface RedirectFormat {
  /** The list or map of redirects in a configuration file. Null when it has none that is written out. */
  findList(file: ConfigFile): Literal | null
  /** Add a redirect to a configuration file. Null when the file has no place that can be edited. */
  add(file: ConfigFile, names: RedirectNames): Splice[] | null
  /** What a redirect calls a page instead of its address. Null when it cannot name the page. */
  toName?(site: Site, page: string): string | null
}
