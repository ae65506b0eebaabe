import { isBelow, toFolders } from '../pages/paths.ts'
import { decodeText } from '../workspace/text-file.ts'
import type { ConfigFile, SiteFault } from './config-file.ts'
import { Evaluator } from './evaluator.ts'
import type { Literal, LiteralFile } from './literal.ts'
import { findModule } from './module-path.ts'
import { parseConfig } from './parse-config.ts'

export type { ConfigFile, SiteFault } from './config-file.ts'

/** Repository access needed by `readSites`. */
export interface SiteSource {
  /** Paths of all regular files in the repository. */
  readonly paths: readonly string[]
  /** Returns a file's bytes, or null if it does not exist, is a symbolic link or is too large. */
  read(path: string): Promise<Uint8Array | null>
}

/** A literal and the file that contains it. */
export interface Located {
  readonly file: ConfigFile
  readonly literal: Literal
}

/** The value of a configuration file. */
export interface Evaluated {
  readonly literal: Literal
  /** The file and the files that it imports and that the value depends on. */
  readonly modules: readonly ConfigFile[]
}

/** A repository's configuration files. Each file is read at most once. */
export interface ConfigFiles {
  readonly paths: readonly string[]
  has(path: string): boolean
  hasFolder(path: string): boolean
  /** Returns the paths in a folder, at any depth. */
  below(folder: string): readonly string[]
  /** Returns null if the file does not exist or cannot be read. */
  open(path: string): Promise<ConfigFile | null>
  /**
   * Returns the content of a data file, or the main export of a script, or the property of it at a
   * path. If a value is a function or a wrapper such as `defineConfig({…})`, uses the object that it
   * returns. Opens the files that it imports. Values that are not static are `unknown`.
   */
  evaluate(file: ConfigFile, path?: readonly string[]): Promise<Evaluated>
  /** Finds the file that a module specifier refers to, as `import` and `require` do. */
  findModule(from: string, specifier: string): string | null
  /** Returns the 1-based line number at an offset. */
  toLine(file: LiteralFile, offset: number): number
}

/** Larger files are not read. Handwritten navigation is far smaller. */
const MAX_BYTES = 2 * 1_048_576
/** Maximum number of files read per repository. */
const MAX_FILES = 2_000
/** An evaluation is repeated with the files that it needed. Each round follows one more import. */
const MAX_ROUNDS = 12
/** Maximum number of files per evaluation. */
const MAX_MODULES = 200

export function buildConfigFiles(source: SiteSource): ConfigFiles {
  const known = new Set(source.paths)
  const folders = toFolders(source.paths)
  const opened = new Map<string, Promise<ConfigFile | null>>()
  const lineStarts = new WeakMap<LiteralFile, readonly number[]>()
  const has = (path: string) => known.has(path)

  const open = (path: string): Promise<ConfigFile | null> => {
    let file = opened.get(path)
    if (file === undefined) {
      if (!known.has(path) || opened.size >= MAX_FILES) return Promise.resolve(null)
      file = readConfig(source, path)
      opened.set(path, file)
    }
    return file
  }

  const evaluate = async (file: ConfigFile, path: readonly string[] = []): Promise<Evaluated> => {
    const modules = new Map<string, ConfigFile | null>([[file.path, file]])
    for (let round = 1; ; round += 1) {
      const evaluator = new Evaluator({ has, find: (path) => modules.get(path) ?? null })
      const literal = evaluator.evaluateMain(file, path)
      const wanted = [...evaluator.wanted].filter((path) => !modules.has(path))
      if (wanted.length === 0 || evaluator.isExhausted || round === MAX_ROUNDS || modules.size > MAX_MODULES)
        return { literal, modules: [...modules.values()].filter((module) => module !== null) }
      for (const needed of wanted) modules.set(needed, await open(needed))
    }
  }

  return {
    paths: source.paths,
    has,
    hasFolder: (path) => folders.has(path),
    below: (folder) => source.paths.filter((path) => isBelow(path, folder)),
    open,
    evaluate,
    findModule: (from, specifier) => findModule(has, from, specifier),
    toLine(file, offset) {
      let starts = lineStarts.get(file)
      if (starts === undefined) {
        const found = [0]
        for (let at = file.text.indexOf('\n'); at !== -1; at = file.text.indexOf('\n', at + 1)) found.push(at + 1)
        starts = found
        lineStarts.set(file, starts)
      }
      let low = 0
      let high = starts.length
      while (high - low > 1) {
        const middle = (low + high) >> 1
        if ((starts[middle] ?? 0) <= offset) low = middle
        else high = middle
      }
      return low + 1
    },
  }
}

async function readConfig(source: SiteSource, path: string): Promise<ConfigFile | null> {
  const bytes = await source.read(path)
  if (bytes === null) return null
  const fail = (code: SiteFault['code'], detail: string): ConfigFile => ({
    path,
    text: '',
    literal: null,
    tree: null,
    roots: [],
    fault: { path, line: null, code, detail },
  })
  if (bytes.length > MAX_BYTES) return fail('limit', 'it is larger than 2 MB')
  const decoded = decodeText(bytes)
  return typeof decoded === 'string' ? fail('invalid', 'it is not UTF-8 text') : parseConfig(path, decoded.text)
}
