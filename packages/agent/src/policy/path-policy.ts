import type { CodeKind, LocaleRule, PolicyFile } from '@corrigenda/contracts'
import { buildGlob } from '@corrigenda/git/text'
import { formatBytes } from '@corrigenda/git/workspace'
import { ALWAYS_DENY, DEFAULT_ALLOW, findCodeFile, IMAGES } from './default-paths.ts'
import { type Locales, toLocaleCode } from './find-locales.ts'

export interface PathPolicySettings {
  /** Globs of writable paths. They replace the default (documentation and navigation files). */
  readonly allow?: readonly string[]
  /**
   * The project's patterns. Folders narrow the default paths. File names and extensions extend
   * them.
   */
  readonly writable?: readonly string[]
  /**
   * Lists of patterns. A path can be read if each list matches it. Default: every path. Paths that
   * cannot be read cannot be written either.
   */
  readonly readable?: readonly (readonly string[])[]
  /** Globs of additional paths that cannot be written. Matching ignores case. */
  readonly deny?: readonly string[]
  /**
   * Rules that reject additional paths, such as translations and the paths in the repository's
   * policy file.
   */
  readonly rules?: readonly PathRule[]
  /**
   * Files that contain the navigation or the redirects of a site besides code or other settings.
   * They are writable, but only their navigation and redirects may change (`isGuarded`).
   */
  readonly navigationFiles?: ReadonlySet<string>
  /** Kinds of executable content that may be added. Default: none. */
  readonly allowedCode?: readonly CodeKind[]
  readonly maxFiles?: number
  /** Lines added plus lines removed in the whole change. */
  readonly maxChangedLines?: number
  /** Bytes added plus bytes removed, counted in whole diff lines. */
  readonly maxDiffBytes?: number
  /** Maximum size of a file after the change. */
  readonly maxFileBytes?: number
}

export type PathAction = 'write' | 'delete' | 'move'

export interface PathPolicy {
  readonly maxFiles: number
  readonly maxChangedLines: number
  readonly maxDiffBytes: number
  readonly maxFileBytes: number
  /** Project settings that differ from the defaults, for the model's instructions. */
  readonly settings: Pick<PathPolicySettings, 'writable' | 'readable' | 'deny' | 'rules'>
  /**
   * Returns true for a page or a navigation file. Such a file can be changed even if it is
   * executable.
   */
  isDocumentation(path: string): boolean
  /** Returns true if the agent may read the file at a path. */
  isReadable(path: string): boolean
  /** Returns true if the project allows a kind of executable content. */
  allowsCode(kind: CodeKind): boolean
  /**
   * Returns true for a file in which only the navigation and the redirects may change. The caller
   * compares it with the base commit (`findConfigViolation`).
   */
  isGuarded(path: string): boolean
  /** Returns a sentence that explains why the action is rejected, or null if it is allowed. */
  explain(path: string, action: PathAction): string | null
}

/**
 * Invisible, bidirectional and control characters. A path that contains one may be displayed
 * misleadingly.
 */
const DECEPTIVE = /[\p{Cc}\p{Cf}\u115F\u1160\u3164\uFFA0]/u

const isHidden = (path: string): boolean => path.split('/').some((segment) => /^\s*\./.test(segment))

export function buildPathPolicy(settings: PathPolicySettings = {}): PathPolicy {
  const options = { ignoreCase: true }
  const documentation = settings.allow?.length === 0 ? () => false : buildGlob(settings.allow ?? DEFAULT_ALLOW, options)
  const { exact, within } = splitWritable(settings.writable ?? [])
  const named = exact.length > 0 ? buildGlob(exact, options) : () => false
  const inside = within.length > 0 ? buildGlob(within, options) : () => settings.writable === undefined
  const kinds = new Set(settings.allowedCode)
  const allowed = (path: string) =>
    named(path) || (inside(path) && (documentation(path) || findCodeFile(path) !== null))
  const forbidden = buildGlob(ALWAYS_DENY, options)
  const never = (path: string) => {
    const kind = findCodeFile(path)
    return forbidden(path) || (kind !== null && !kinds.has(kind))
  }
  const denied = settings.deny?.length ? buildGlob(settings.deny, options) : () => false
  const image = buildGlob(IMAGES, options)
  const readable = (settings.readable ?? []).map((globs) => buildGlob(globs, options))
  const isReadable = (path: string) => readable.every((matches) => matches(path.normalize('NFKC')))

  const isNavigation = (path: string) => settings.allow === undefined && settings.navigationFiles?.has(path) === true

  return {
    settings,
    isReadable,
    allowsCode: (kind) => kinds.has(kind),
    isGuarded: (path) => isNavigation(path) && (isHidden(path) || !allowed(path.normalize('NFKC'))),
    isDocumentation: (path) => documentation(path.normalize('NFKC')),
    maxFiles: settings.maxFiles ?? 50,
    maxChangedLines: settings.maxChangedLines ?? 5_000,
    maxDiffBytes: settings.maxDiffBytes ?? 1_048_576,
    maxFileBytes: settings.maxFileBytes ?? 1_048_576,
    explain(path, action) {
      const shown = JSON.stringify(path)
      if (DECEPTIVE.test(path)) return `${shown} has invisible or control characters in its name.`
      // Some file systems treat compatibility forms as equal, so paths are compared in NFKC form.
      const folded = path.normalize('NFKC')
      const isEdit = action === 'write' && isNavigation(path)
      // VitePress keeps its configuration in a hidden folder.
      if (isHidden(isEdit ? folded.replace(/(^|\/)\.vitepress(?=\/)/g, '$1') : folded)) {
        return `${shown} is protected. Files and folders that start with a dot cannot be changed.`
      }
      const plain = folded
        .split('/')
        .map((segment) => segment.replace(/(?<![\s.])[\s.]+$/, ''))
        .join('/')
      if (never(folded) || never(plain)) {
        return `${shown} is protected. ${forbidden(folded) || forbidden(plain) ? 'Build files, lock files and permissions cannot be changed.' : 'The settings of this project do not allow changes to agent instructions or dependency manifests.'}`
      }
      if (!isReadable(path)) return explainUnreadable(path)
      if (denied(folded) || denied(plain)) return `${shown} is excluded by the settings of this project.`
      for (const rule of settings.rules ?? []) {
        const why = rule.explain(folded) ?? rule.explain(plain)
        if (why !== null) return why
      }
      if (allowed(folded) || (isEdit && inside(folded))) return null
      if (action !== 'write' && image(folded) && inside(folded)) return null
      if (image(folded) && inside(folded))
        return `${shown} is an image. Images can be moved or deleted, but not created or changed.`
      return `${shown} is not a documentation file that can be changed. ${describeAllowed(settings)}`
    },
  }
}

export const explainUnreadable = (path: string): string =>
  `${JSON.stringify(path)} cannot be read or changed. The settings of this project exclude it.`

function describeAllowed(settings: PathPolicySettings): string {
  if (settings.writable !== undefined) return `This project allows: ${listSome(settings.writable)}.`
  if (settings.allow !== undefined) return `Allowed paths: ${settings.allow.join(', ')}.`
  return 'Allowed files are .md, .mdx, .markdown, .rst and .adoc pages and navigation files such as docs.json or mkdocs.yml.'
}

/** Describes the limits for the system prompt. */
export function describeLimits(policy: PathPolicy): string {
  const { maxFiles, maxChangedLines, maxFileBytes, settings } = policy
  const { writable, readable, deny, rules = [] } = settings
  // The other lists are from the repository, which quotes them itself.
  const visible = readable === undefined ? '' : `, only paths that you may read (${listSome(readable[0] ?? [])})`
  const only = writable === undefined ? '' : `, only paths that this project allows (${listSome(writable)})`
  const never = deny?.length ? `, no paths that this project excludes (${listSome(deny)})` : ''
  const more = rules.map(({ words }) => `, ${words}`).join('')
  return `at most ${maxFiles} files and ${maxChangedLines} changed lines, no file over ${formatBytes(maxFileBytes)}${visible}${only}${never}${more}`
}

/** A project's patterns, grouped by meaning. */
interface SplitWritable {
  /** Patterns that name files or an extension. They allow exactly the paths they match. */
  readonly exact: readonly string[]
  /** Patterns that name folders. They restrict writes to the documentation in them. */
  readonly within: readonly string[]
}

/**
 * Splits the `writable` patterns. `docs/**` selects the documentation in `docs`, but not the
 * code there. To allow more, a project adds an extension (`snippets/**` + `/*.yaml`) or a name
 * (`docs/Caddyfile`).
 */
function splitWritable(globs: readonly string[]): SplitWritable {
  const exact = globs.filter(namesFiles)
  return { exact, within: globs.filter((glob) => !exact.includes(glob)) }
}

function namesFiles(glob: string): boolean {
  // A pattern with braces that contain a slash cannot be split at its last slash.
  if (/\{[^{}]*\//.test(glob)) return false
  const last = glob.split('/').at(-1) ?? ''
  const isName = last !== '' && !/[*?[\]]/.test(last)
  return isName || /\.(?![_{},-]*$)[A-Za-z0-9_{},-]+$/.test(last)
}

/**
 * An additional restriction on paths that the policy otherwise allows. A rule cannot allow a path.
 */
export interface PathRule {
  /**
   * Returns a sentence that explains why the path is rejected, or null if this rule does not apply.
   */
  explain(path: string): string | null
  /**
   * Description of the rule for the model. Continues the sentence "at most 5 files, …".
   */
  readonly words: string
}

const SHOWN = 20

/** Lists up to 20 patterns as text. */
function listSome(globs: readonly string[]): string {
  return `${globs.slice(0, SHOWN).join(', ')}${globs.length > SHOWN ? ', …' : ''}`
}

/**
 * Builds a rule that protects translations, or returns null if all languages may be written. `by`
 * names the origin of the setting.
 */
export function buildLocaleRule(setting: LocaleRule, locales: Locales, by: string): PathRule | null {
  if (setting === 'all') return null
  const allowed = new Set(setting === 'source-only' ? [] : setting.map(toLocaleCode))
  return {
    words: `no translations${allowed.size > 0 ? ` except into ${listSome([...allowed])}` : ''} (${by})`,
    explain(path) {
      const locale = locales.toTranslation(path)
      if (locale === null || allowed.has(locale)) return null
      return `${JSON.stringify(path)} is a translation (${locale}). Translations are excluded by ${by}.`
    },
  }
}

/**
 * Builds a rule from the path rules of a repository's policy file, or returns null if the file has
 * no path rules.
 */
export function buildFileRule({ writable, forbidden = [] }: PolicyFile, name: string): PathRule | null {
  if (writable === undefined && forbidden.length === 0) return null
  const options = { ignoreCase: true }
  const inside = writable === undefined ? () => true : buildGlob(writable, options)
  const outside = forbidden.length === 0 ? () => false : buildGlob(forbidden, options)
  return {
    // The patterns are repository content. They are quoted to the model as such and do not appear
    // in the product's rules.
    words: `only paths that the repository's ${name} allows`,
    explain(path) {
      if (outside(path)) return `${JSON.stringify(path)} is excluded by the repository's ${name}.`
      return inside(path)
        ? null
        : `${JSON.stringify(path)} is not allowed by the repository's ${name}. Allowed paths: ${listSome(writable ?? [])}.`
    },
  }
}
