import { toFolder } from '../pages/paths.ts'
import { buildGlob } from '../workspace/build-glob.ts'

/** Maximum number of patterns that are read. Further patterns have no effect. */
const MAX_PATTERNS = 1_000

type Matches = (path: string) => boolean

/** Consecutive patterns that all exclude or all include. */
interface Step {
  readonly excludes: boolean
  readonly matchesFolder: Matches
  readonly matchesFile: Matches
}

/**
 * Builds a function that returns true for the paths that `.gitignore` patterns exclude. The last
 * matching pattern applies, and a file in an excluded folder cannot be included again. Invalid
 * patterns have no effect. Running time is proportional to the number of patterns and paths.
 */
export function buildIgnore(patterns: readonly string[]): Matches {
  const steps = toSteps(patterns)
  const known = new Map<string, boolean>([['', false]])
  const isFolderIgnored = (folder: string): boolean => {
    const before = known.get(folder)
    if (before !== undefined) return before
    const ignored = isFolderIgnored(toFolder(folder)) || isExcluded(steps, folder, true)
    known.set(folder, ignored)
    return ignored
  }
  const files = new Map<string, boolean>()
  return (path) => {
    let ignored = files.get(path)
    if (ignored === undefined) {
      ignored = isFolderIgnored(toFolder(path)) || isExcluded(steps, path, false)
      files.set(path, ignored)
    }
    return ignored
  }
}

function isExcluded(steps: readonly Step[], path: string, isFolder: boolean): boolean {
  const step = steps.findLast(({ matchesFolder, matchesFile }) => (isFolder ? matchesFolder : matchesFile)(path))
  return step?.excludes ?? false
}

function toSteps(patterns: readonly string[]): Step[] {
  const groups: { excludes: boolean; folders: string[]; files: string[] }[] = []
  for (const written of patterns.slice(0, MAX_PATTERNS)) {
    const text = written.trim()
    if (text === '' || text.startsWith('#')) continue
    const excludes = !text.startsWith('!')
    const { glob, isFolderOnly } = toGlob(excludes ? text : text.slice(1))
    let group = groups.at(-1)
    if (group?.excludes !== excludes) {
      group = { excludes, folders: [], files: [] }
      groups.push(group)
    }
    group.folders.push(glob)
    if (!isFolderOnly) group.files.push(glob)
  }
  return groups.map(({ excludes, folders, files }) => ({
    excludes,
    matchesFolder: toMatches(folders),
    matchesFile: toMatches(files),
  }))
}

function toGlob(pattern: string): { glob: string; isFolderOnly: boolean } {
  const isFolderOnly = pattern.endsWith('/')
  const body = isFolderOnly ? pattern.slice(0, -1) : pattern
  const rooted = body.includes('/') ? body.replace(/^\//, '') : `**/${body}`
  // In a `.gitignore`, `a/**` matches everything in `a` but not `a` itself.
  return { glob: rooted.replace(/\/\*\*$/, '/**/*'), isFolderOnly }
}

function toMatches(globs: readonly string[]): Matches {
  if (globs.length === 0) return () => false
  const matches = findMatches(globs)
  if (matches !== null) return matches
  const valid = globs.flatMap((glob) => findMatches([glob]) ?? [])
  return (path) => valid.some((one) => one(path))
}

function findMatches(globs: readonly string[]): Matches | null {
  try {
    return buildGlob(globs, { braces: false })
  } catch {
    return null
  }
}
