import { joinPath, toFolder } from '../pages/paths.ts'

/**
 * Precedes paths in the repository in values such as `path.resolve(__dirname, 'x')`. No absolute
 * path or URL starts with it.
 */
const ROOT = '\0/'

const ENDINGS = ['', '.ts', '.tsx', '.mts', '.cts', '.js', '.jsx', '.mjs', '.cjs', '.json']
const INDEXES = ENDINGS.slice(1).map((ending) => `/index${ending}`)

/** Returns the value of an absolute path, as code would compute it. */
export function toAbsolute(path: string): string {
  return `${ROOT}${path}`
}

/**
 * Resolves a path in a configuration value: an absolute path as returned by `toAbsolute`, or a path
 * relative to a folder. Returns null if it is outside the repository.
 */
export function toRepositoryPath(value: string, folder: string): string | null {
  if (value.startsWith(ROOT)) return joinPath('', value.slice(ROOT.length))
  return value.startsWith('/') ? null : joinPath(folder, value)
}

/** Joins paths like `path.resolve` and `path.join`, which differ for absolute paths. */
export function joinValues(values: readonly string[], method: 'resolve' | 'join'): string | null {
  let result = ''
  for (const value of values) {
    if (value.startsWith('/') && method === 'resolve') return null
    result = value.startsWith(ROOT) ? value : result === '' ? value : `${result}/${value}`
  }
  if (!result.startsWith(ROOT)) return result
  const path = toRepositoryPath(result, '')
  return path === null ? null : toAbsolute(path)
}

/**
 * Returns the file that a relative module specifier refers to: with or without extension, a
 * TypeScript file under the name of its JavaScript output, or a folder's index file. Returns null
 * if it does not exist or the specifier is not relative.
 */
export function findModule(has: (path: string) => boolean, from: string, specifier: string): string | null {
  const isRelative = /^\.{1,2}(?:\/|$)/.test(specifier) || specifier.startsWith(ROOT)
  const path = isRelative ? toRepositoryPath(specifier.replace(/\?.*$/s, ''), toFolder(from)) : null
  if (path === null) return null
  const names = [...ENDINGS.map((ending) => `${path}${ending}`), path.replace(/\.([cm]?)js(x?)$/, '.$1ts$2')]
  return [...names, ...INDEXES.map((ending) => `${path}${ending}`)].find(has) ?? null
}
