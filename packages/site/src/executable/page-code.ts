/** What a part of a file does when the documentation is built. */
export type CodeKind =
  /** Imports, exports and expressions of MDX pages, except literals. */
  | 'mdx-code'
  /** Scripts, expressions and directives of Vue pages, except literals. */
  | 'vue-code'
  /** Front matter in a programming language, and scripts in the page's head. */
  | 'front-matter-code'
  /** YAML tags that construct objects, call functions or read the environment. */
  | 'yaml-tags'
  /** Plugins, hooks, scripts and custom folders in a site's configuration. */
  | 'build-settings'
  /** Directives that run code or insert text without processing it. */
  | 'directives'
  /** Includes of files outside the documentation, and of URLs. */
  | 'includes'
  /** Files that define which packages are installed, without their lock files. */
  | 'dependency-manifests'
  /** Files that instruct coding agents. */
  | 'agent-instructions'

/** Part of a file that runs while the documentation is built, or that reads other files. */
export interface PageCode {
  readonly kind: CodeKind
  /** 1-based. */
  readonly line: number
  /** Equal for two parts that do the same. Relative paths are resolved. */
  readonly source: string
}

/** A string that names a Markdown page or an image, which a build inserts but does not run. */
const PASSIVE_MODULE = /^[\w@~./ -]{1,500}\.(?:mdx?|markdown|png|jpe?g|gif|webp|avif|svg|ico|pdf|mp4|webm)$/i

/** Loaders and queries can run other code on the file, so a plain path is required. */
export function isPassiveModule(path: string): boolean {
  return PASSIVE_MODULE.test(path) && !path.startsWith('//')
}

/** Returns a function that returns the 1-based line of an offset. */
export function buildLineFinder(text: string): (offset: number) => number {
  const starts = [0]
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return (offset) => {
    let [low, high] = [0, starts.length]
    while (high - low > 1) {
      const middle = (low + high) >> 1
      if ((starts[middle] ?? 0) <= offset) low = middle
      else high = middle
    }
    return low + 1
  }
}

/** Replaces the relative paths in code, so that a moved page keeps the code that it had. */
export function resolvePaths(code: string, folder: string): string {
  return code
    .replace(/(['"`])(\.{1,2}\/[^'"`\n]{0,500})\1/g, (_, quote: string, path: string) => {
      const url = new URL(path, `https://local.invalid/${folder === '' ? '' : `${folder}/`}`)
      return `${quote}${url.pathname}${quote}`
    })
    .trim()
}
