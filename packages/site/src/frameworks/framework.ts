import type { Splice } from '@corrigenda/git/workspace'
import type { ConfigFile, ConfigFiles } from '../config/config-files.ts'
import type { Literal } from '../config/literal.ts'
import type { Dialect } from '../pages/dialect.ts'
import type { PageFacts } from '../pages/read-page-facts.ts'
import type { ContentFolder, NavigationEntry, SiteReading } from './site.ts'

/**
 * The definition of one documentation framework. Code outside the framework's folder uses this
 * object and never compares names. A new framework is one folder next to this file and one line in
 * `sites/all-frameworks.ts`.
 */
export interface Framework {
  /** Stable lowercase identifier. */
  readonly name: string
  /** Display name, for the prompt. */
  readonly title: string
  /** Detections of its sites, in order. */
  readonly detections: readonly Detection[]
  /**
   * Reads a site from its main configuration file. Returns null if the file belongs to another
   * tool. Runs no code.
   */
  read(files: ConfigFiles, config: string): Promise<SiteReading | null>

  /**
   * Dialects of `.mdx` files and of other Markdown files in a content folder, and a description of
   * both for the prompt.
   */
  readonly dialects: { readonly mdx: Dialect; readonly md: Dialect; readonly words: string }
  /** Additional rule for writers, as one sentence for the prompt; null if there is none. */
  readonly rule: string | null
  /**
   * Globs of its navigation files that the agent may write by default. Markdown pages are always
   * allowed.
   */
  readonly writable: readonly string[]
  /** Reads the translation languages from a configuration file. */
  readLanguages?(bytes: Uint8Array): readonly ConfiguredLanguage[]

  /**
   * Returns the URLs of a page below the URL of its content folder, the usual one first.
   * Returns an empty list if the path does not determine them.
   */
  toRoutes(page: PagePlace): readonly string[]
  /** Returns the id defined in a page's front matter, in the format of navigation entries. */
  toId?(page: string, content: ContentFolder, id: string): string
  /**
   * The meaning of an entry that matches no file: the id or the URL in a page's front matter.
   */
  readonly entryNames?: 'id' | 'address'
  /**
   * Formats the name of a page for an entry at the position of `like`. Returns null if this is not
   * possible.
   */
  toEntry(input: EntryPlace): string | null

  /** Pages without an entry are shown too. The navigation only defines the order. */
  readonly showsUnlisted?: true
  /** Translations use the navigation of the main language. */
  readonly translationsShareNavigation?: true
  /**
   * True if unresolved absolute links are broken. False if the files do not define where the site
   * is served.
   */
  readonly checksAbsoluteLinks: boolean
  /** Plugins or rewrites may add pages at paths without a file. */
  readonly addsPages?: true
  /** URLs of pages that the framework generates, with a trailing slash. */
  readonly generatedUrls?: RegExp
  /** URLs end with a slash, so relative links are resolved below the page's URL. */
  readonly trailingSlash?: true
  /** Redirects in the framework's configuration; absent if it has none that can be edited. */
  readonly redirects?: RedirectFormat
}

export interface Detection {
  /** Matches paths of main configuration files. */
  readonly config: RegExp
  /** A match is ignored if the same folder contains another configuration of this framework. */
  readonly older?: RegExp
  /** A match inside a content folder of a site found earlier belongs to that site. */
  readonly yields?: true
}

/** One documentation site of a repository, as described by its files. */
export interface Site extends SiteReading {
  /** Code outside the framework's folder uses this object instead of comparing names. */
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
  /** The entry whose format is used: slash, dots, extension. */
  readonly like: NavigationEntry
  readonly page: string
  /** The content folder of `page`; null if it is outside all content folders. */
  readonly content: ContentFolder | null
  readonly facts: PageFacts | null
}

/** Source and destination of a redirect, as named in the configuration. */
export interface RedirectNames {
  readonly source: string
  readonly destination: string
}

export interface RedirectFormat {
  /**
   * Finds the list or map of redirects in a configuration file. Returns null if it has no static
   * one.
   */
  findList(file: ConfigFile): Literal | null
  /**
   * Adds a redirect to a configuration file. Returns null if it cannot be added to the file.
   */
  add(file: ConfigFile, names: RedirectNames): Splice[] | null
  /**
   * Returns the name that redirects use for a page instead of its URL, or null if they cannot
   * name it.
   */
  toName?(site: Site, page: string): string | null
}
