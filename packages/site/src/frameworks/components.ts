import type { ConfigFiles } from '../config/config-files.ts'
import { isBelow, joinPath } from '../pages/paths.ts'
import type { SiteReading } from './site.ts'

/** How a framework provides components to pages that do not import them. */
export interface ComponentRules {
  /** Names that every site provides. */
  readonly builtIn: readonly string[]
  /** Matches files of a site that may provide further names. */
  readonly files?: RegExp
  /** Matches packages whose components are built in. */
  readonly packages?: RegExp
  /** Matches configuration that may provide further names, which are unknown. */
  readonly extended?: RegExp
  /** True if the build fails for a page with an unknown component. */
  readonly isRequired: boolean
}

const MAX_FILES = 50
const WORD = /\b[A-Z][\w$]*/g
const IMPORT =
  /^import\s(?:[^'"\n]|\n(?!import\s|export\s)){0,2000}?from\s*['"]([^'"\n]{1,300})['"]|^export\s*\*\s*from\s*['"]([^'"\n]{1,300})['"]/gm
/** Matches code that loads modules whose names are computed. */
const LOADED = /\brequire\b|\bimport\s*\(|import\.meta\.glob/

/**
 * Returns the names of components that pages of a site can use without an import, or null if code or
 * packages may provide others. Any capitalized word in a file that provides components counts.
 */
export async function readComponents(
  files: ConfigFiles,
  { root, config }: SiteReading,
  { builtIn, files: pattern, packages, extended }: ComponentRules,
): Promise<readonly string[] | null> {
  const main = config === null ? null : await files.open(config)
  if (main === null || extended?.test(main.text) === true) return null
  const names = new Set(builtIn)
  const open = pattern === undefined ? [] : files.paths.filter((path) => isBelow(path, root) && pattern.test(path))
  const seen = new Set<string>()
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    if (seen.has(path)) continue
    seen.add(path)
    const text = (await files.open(path))?.text ?? ''
    if (seen.size > MAX_FILES || text === '' || LOADED.test(text)) return null
    for (const [word] of text.matchAll(WORD)) names.add(word)
    for (const [statement, imported, exported] of text.matchAll(IMPORT)) {
      const from = imported ?? exported ?? ''
      // Named imports are words of this file.
      const mayHoldNames = exported !== undefined || /^import\s+(?:\*|\w)/.test(statement)
      if (!mayHoldNames || packages?.test(from) === true || !isSpread(text, statement, exported)) continue
      const own = from.startsWith('@site/') ? joinPath(root, from.slice('@site/'.length)) : null
      const found = files.findModule(path, from) ?? (own === null ? null : files.findModule('', `./${own}`))
      if (found === null) return null
      open.push(found)
    }
  }
  return [...names]
}

/** Returns true if the names of an imported module may be passed on. */
function isSpread(text: string, statement: string, exported: string | undefined): boolean {
  if (exported !== undefined) return true
  const name = /^import\s+(?:\*\s*as\s+)?(\w+)/.exec(statement)?.[1] ?? ''
  return new RegExp(`\\.\\.\\.\\s*${name}\\b|\\(\\s*${name}\\b|,\\s*${name}\\s*[,)]`).test(text)
}
