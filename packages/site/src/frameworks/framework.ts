import type { ConfigFile, ConfigFiles } from '../config/config-files.ts'
import type { Literal } from '../config/literal.ts'
import type { Dialect } from '../pages/dialect.ts'
import type { HidingForm } from '../pages/hiding-form.ts'
import type { Notation } from '../pages/notation.ts'
import type { BlockForm } from '../pages/open-block.ts'
import type { PageFacts } from '../pages/read-page-facts.ts'
import type { Splice } from '../workspace/text-file.ts'
import type { ComponentRules } from './components.ts'
import type { HeadingIds } from './heading-ids.ts'
import type { ReferenceRule } from './reference-rules.ts'
import type { ContentFolder, ImportAlias, NavigationEntry, SiteReading } from './site.ts'

/**
 * The definition of one documentation framework. Code outside the framework's folder uses this
 * object and never compares names. To add a framework, add a folder next to this file and a line to
 * `sites/all-frameworks.ts`.
 */
export interface Framework {
  /** Stable lowercase identifier. */
  readonly name: string
  /** Display name, for the prompt. */
  readonly title: string
  /** Patterns that detect its sites, in order. */
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
  readonly dialects: Dialects & { readonly words: string }
  /**
   * Reads the dialects of one site if they depend on its configuration or the framework's version.
   */
  readDialects?(files: ConfigFiles, config: string): Promise<Dialects>
  /** Additional rule for writers, as one sentence for the prompt, or null. */
  readonly rule: string | null
  /**
   * Globs that match the navigation files that the agent may write by default. Markdown pages are
   * always allowed.
   */
  readonly writable: readonly string[]
  /**
   * Returns true if a setting of the main configuration, such as `plugins.search`, can run code or
   * read other files during the build. Absent if the configuration only contains plain data.
   */
  isCodeSetting?(key: string): boolean
  /** Returns true for a file in which expressions between braces run as code of a template. */
  isTemplate?(path: string, site: SiteReading): boolean
  /** True if text between dollar signs is a formula in every site. */
  readonly hasMath?: true
  /** Reads the translation languages from a configuration file. */
  readLanguages?(bytes: Uint8Array): readonly ConfiguredLanguage[]

  /**
   * Returns a page's URLs relative to its content folder's URL, the usual one first. Returns an
   * empty list if the path does not determine them.
   */
  toRoutes(page: PagePlace): readonly string[]
  /** Matches the scheme of a link to a file of the site, such as `project:`. */
  readonly ownScheme?: RegExp
  /** Returns the id defined in a page's front matter, in the format of navigation entries. */
  toId?(page: string, content: ContentFolder, id: string): string
  /**
   * Name that an entry contains if it is not a file path: the id from a page's front matter, or a
   * page's URL.
   */
  readonly entryNames?: 'id' | 'address'
  /**
   * Formats a page's name for an entry at the position of `like`. Returns null if this is not
   * possible.
   */
  toEntry(input: EntryPlace): string | null

  /** How pages get components that they do not import. Absent if this is not known. */
  readonly components?: ComponentRules
  /** True if the build fails for a page without a `title` in its front matter. */
  readonly requiresTitle?: true
  /** Notations for blocks that need an end. */
  readonly blocks?: readonly BlockForm[]
  /** Notations for text that is not shown as Markdown. */
  readonly hides?: readonly HidingForm[]
  /**
   * Notations for references outside Markdown links and tags, and how they are resolved. Checks,
   * moves, deletions and heading renames use this table.
   */
  readonly notations?: Partial<Readonly<Record<Notation, ReferenceRule>>>
  /** Rules for the ids of headings. Absent if they are GitHub's. */
  readonly headingIds?: HeadingIds

  /** True if the site also shows pages without an entry. The navigation only defines the order. */
  readonly showsUnlisted?: true
  /** True if translations use the main language's navigation. */
  readonly translationsShareNavigation?: true
  /** True if the host, not the configuration, defines the folder where the site is served. */
  readonly isServedAnywhere?: true
  /**
   * True if unresolved absolute links are broken. `images` if only images are, which the framework
   * reads from its public folders. False if the files do not define where the site is served.
   */
  readonly checksAbsoluteLinks: boolean | 'images'
  /**
   * What a relative link to a page without its extension is: a URL below the page's URL (`url`), or
   * nothing (`none`). Absent if frameworks or servers resolve it.
   */
  readonly bareLinks?: 'url' | 'none'
  /** True if links to page files are URLs, too, and not converted. */
  readonly keepsPageLinks?: true
  /** True if the build fails for links to a port of `localhost`. */
  readonly rejectsLocalhost?: true
  /** True if links to page files lead only to pages of the site. */
  readonly linksToOwnPages?: true
  /** True if relative links are paths of files, also outside the site. */
  readonly linksToFiles?: true
  /** True if links to Markdown files that are not in the site become links to HTML files. */
  readonly convertsAllLinks?: true
  /** True if plugins or rewrites may add pages at paths without a file. */
  readonly addsPages?: true
  /** True if a link that consists of an id can refer to any page of the site. */
  readonly sharesAnchors?: true
  /** True if expressions in double braces insert only text. */
  readonly templatesAreText?: true
  /** Matches URLs of pages that the framework generates, with a trailing slash. */
  readonly generatedUrls?: RegExp
  /**
   * True if URLs end with a slash, so that relative links are resolved below the page's URL. False
   * if they do not. Absent if this depends on the configuration.
   */
  readonly trailingSlash?: boolean
  /** True if `guide.md` and `guide/index.md` are different pages, at `guide.html` and `guide/`. */
  readonly keepsIndexApart?: true
  /** True if a relative path without a leading dot may also start at the content folder. */
  readonly acceptsRootPaths?: true
  /** True if the URL of a folder with pages is valid, even if the folder has no index page. */
  readonly servesFolders?: true
  /** True if a page whose front matter is not valid YAML prevents the site from building. */
  readonly requiresFrontmatter?: true
  /** True if blank lines may precede the front matter. */
  readonly acceptsBlankLines?: true
  /** True if versions of the framework accept front matter that contains a key twice. */
  readonly acceptsRepeatedKeys?: true
  /** Matches paths relative to a content folder of files that other pages include. */
  readonly partials?: RegExp
  /**
   * What redirects contain instead of URLs: paths of pages in the content folder (`path`), or a URL
   * and a destination relative to it (`relative`).
   */
  readonly redirectNames?: 'path' | 'relative'
  /** True if only pages with a navigation entry are published. */
  readonly publishesListed?: true
  /** Redirects in the framework's configuration; absent if they cannot be edited. */
  readonly redirects?: RedirectFormat
}

/** Dialects of `.mdx` files and of other Markdown files in a content folder. */
export interface Dialects {
  readonly mdx: Dialect
  readonly md: Dialect
  /**
   * Dialect in which code in pages is searched. Set if the pages can contain code, but are read as
   * plain Markdown because their exact syntax is not known.
   */
  readonly code?: Dialect
}

export interface Detection {
  /** Matches paths of main configuration files. */
  readonly config: RegExp
  /** Matches paths to ignore if the folder contains another configuration file of the framework. */
  readonly older?: RegExp
  /**
   * True if matches inside the content folder of an already detected site belong to that site, and
   * if sites of other frameworks with the same pages take precedence.
   */
  readonly yields?: true
}

/** One documentation site in a repository, as described by its files. */
export interface Site extends SiteReading {
  /** Code outside the framework's folder uses this object instead of comparing names. */
  readonly framework: Framework
  readonly dialects: Dialects
  /** Components that pages can use without an import. Null if they are not known. */
  readonly components: readonly string[] | null
  readonly aliases: readonly ImportAlias[]
}

export interface ConfiguredLanguage {
  /** As written in the configuration. */
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

interface RedirectFormat {
  /**
   * Finds the list or map of redirects in a configuration file. Returns null if it is absent or not
   * static.
   */
  findList(file: ConfigFile): Literal | null
  /**
   * Adds a redirect to a configuration file. Returns null if it cannot be added to the file.
   */
  add(file: ConfigFile, names: RedirectNames): Splice[] | null
}
