import { decodeText } from '@corrigenda/git/workspace'
import { isBelow, toFolders } from '../pages/paths.ts'
import type { EvaluatedFile } from './evaluation.ts'
import { Evaluator } from './evaluator.ts'
import type { Literal, LiteralFile } from './literal.ts'
import { findModule } from './module-path.ts'
import { parseJson, parseScript } from './parse-script.ts'
import { readJsonLiteral, readRoots } from './read-script-literal.ts'
import { readTomlLiteral } from './read-toml-literal.ts'
import { readYamlLiteral } from './read-yaml-literal.ts'
import { ScriptError } from './script-error.ts'

/** A required file that could not be read. */
export interface SiteFault {
  readonly path: string
  /** 1-based; null if the problem concerns the whole file. */
  readonly line: number | null
  /**
   * `invalid`: does not parse, so the site cannot build. `limit`: exceeds the size or depth limit.
   * `missing`: refers to a missing file.
   */
  readonly code: 'invalid' | 'limit' | 'missing'
  /** Part of a sentence, for example `it has more than 100 levels of nesting`. */
  readonly detail: string
}

/** Repository access needed by `readSites`. */
export interface SiteSource {
  /** Paths of all regular files in the repository. */
  readonly paths: readonly string[]
  /** Returns a file's bytes, or null if it does not exist, is a symbolic link or is too large. */
  read(path: string): Promise<Uint8Array | null>
}

/** A configuration file that was read. */
export interface ConfigFile extends EvaluatedFile {
  /**
   * The document in a JSON or YAML file. In a script, the arrays and objects that are not part of
   * another one, as written: names, spreads and other expressions are `unknown`. Edits use them to
   * find the text around an entry.
   */
  readonly roots: readonly Literal[]
  readonly fault: SiteFault | null
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
const MAX_SCRIPT_CHARS = 524_288
/** Maximum number of files read per repository. */
const MAX_FILES = 2_000
/** An evaluation is repeated with the files that it needed. Each round follows one more import. */
const MAX_ROUNDS = 12
/** Maximum number of files per evaluation. */
const MAX_MODULES = 200
const SCRIPT = /\.[cm]?[jt]sx?$/

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
      if (wanted.length === 0 || round === MAX_ROUNDS || modules.size > MAX_MODULES)
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
  const empty = { path, text: '', literal: null, tree: null, roots: [], fault: null }
  const fail = (code: SiteFault['code'], detail: string): ConfigFile => ({
    ...empty,
    fault: { path, line: null, code, detail },
  })
  if (bytes.length > MAX_BYTES) return fail('limit', 'it is larger than 2 MB')
  const decoded = decodeText(bytes)
  if (typeof decoded === 'string') return fail('invalid', 'it is not UTF-8 text')
  const { text } = decoded
  if (/\.ya?ml$|(?:^|\/)\.pages$/i.test(path)) {
    const { literal, fault } = readYamlLiteral(text)
    const roots = literal === null ? [] : [literal]
    return { ...empty, text, literal, roots, fault: fault === null ? null : { path, ...fault } }
  }
  if (/\.toml$/i.test(path)) {
    const { literal, fault } = readTomlLiteral(text)
    const roots = literal === null ? [] : [literal]
    return { ...empty, text, literal, roots, fault: fault === null ? null : { path, ...fault } }
  }
  if (/\.json$/i.test(path)) return readJson({ ...empty, text })
  return SCRIPT.test(path) ? readScript({ ...empty, text }) : { ...empty, text }
}

function readJson(file: ConfigFile): ConfigFile {
  const { path, text } = file
  try {
    JSON.parse(text)
    const literal = readJsonLiteral(parseJson(text), { path, text })
    return { ...file, literal, roots: [literal] }
  } catch (error) {
    if (error instanceof ScriptError)
      return { ...file, fault: { path, line: toLine(text, error.offset), code: 'limit', detail: error.message } }
    if (!(error instanceof SyntaxError)) throw error
    const position = /position (\d+)/.exec(error.message)?.[1]
    const line = position === undefined ? null : toLine(text, Number(position))
    const detail = error.message.replace(/\s*in JSON at position.*$/s, '')
    return { ...file, fault: { path, line, code: 'invalid', detail } }
  }
}

/** A script that is too large or intricate to parse may be valid, so this is not a fault. */
function readScript(file: ConfigFile): ConfigFile {
  const { path, text } = file
  if (text.length > MAX_SCRIPT_CHARS) return file
  try {
    const tree = parseScript(text, path)
    return { ...file, tree, roots: readRoots(tree, { path, text }) }
  } catch (error) {
    if (!(error instanceof ScriptError)) throw error
    const { code, offset, message: detail } = error
    return code === 'limit' ? file : { ...file, fault: { path, line: toLine(text, offset), code, detail } }
  }
}

function toLine(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length
}
