import { decodeText } from '@corrigenda/git/workspace'
import { isBelow, joinPath, toFolder, toFolders } from '../pages/paths.ts'
import { findProperty, type Literal } from './literal.ts'
import { parseJsonLiteral, readModule, type ScriptModule } from './read-module.ts'
import { readYamlLiteral } from './read-yaml-literal.ts'
import { ScanError } from './scan-token.ts'

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
export interface ConfigFile {
  readonly path: string
  /** LF line endings, no byte order mark. */
  readonly text: string
  /** Parsed content; null if the file cannot be parsed or its format has no literals. */
  readonly literal: Literal | null
  readonly module: ScriptModule | null
  readonly fault: SiteFault | null
}

/** A literal and the file that contains it. */
export interface Located {
  readonly file: ConfigFile
  readonly literal: Literal
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
   * Resolves names, imports and `require` calls to their values. Returns an unresolved literal if
   * the value is not static.
   */
  resolve(at: Located): Promise<Located>
  /** Returns the 1-based line number at an offset. */
  toLine(file: ConfigFile, offset: number): number
}

/** Larger files are not read. Handwritten navigation is far smaller. */
const MAX_BYTES = 2 * 1_048_576
const MAX_SCRIPT_CHARS = 524_288
const MAX_HOPS = 8
/** Maximum number of files read per repository. */
const MAX_FILES = 2_000
const SCRIPT = /\.[cm]?[jt]sx?$/
const SCRIPT_ENDINGS = ['', '.ts', '.js', '.mts', '.mjs', '.cjs', '.cts', '.json', '/index.ts', '/index.js']

export function buildConfigFiles(source: SiteSource): ConfigFiles {
  const known = new Set(source.paths)
  const folders = toFolders(source.paths)
  const opened = new Map<string, Promise<ConfigFile | null>>()
  const lineStarts = new WeakMap<ConfigFile, readonly number[]>()

  const open = (path: string): Promise<ConfigFile | null> => {
    let file = opened.get(path)
    if (file === undefined) {
      if (!known.has(path) || opened.size >= MAX_FILES) return Promise.resolve(null)
      file = readConfig(source, path)
      opened.set(path, file)
    }
    return file
  }

  const openModule = async (from: ConfigFile, specifier: string, name: string): Promise<Located | null> => {
    if (!specifier.startsWith('.')) return null
    for (const ending of SCRIPT_ENDINGS) {
      const path = joinPath(toFolder(from.path), `${specifier}${ending}`)
      // Imports refer to TypeScript files by the name of their JavaScript output.
      for (const candidate of path === null ? [] : [path, path.replace(/\.([cm]?)js$/, '.$1ts')]) {
        const file = await open(candidate)
        const literal = name === 'default' ? file?.literal : file?.module?.constants.get(name)
        if (file && literal) return { file, literal }
      }
    }
    return null
  }

  const step = async ({ file, literal }: Located): Promise<Located | null> => {
    if (literal.kind === 'call' && /^require(?:\.resolve)?$/.test(literal.callee)) {
      const wanted = literal.args[0]
      return wanted?.kind === 'string' && literal.callee === 'require'
        ? openModule(file, wanted.value, 'default')
        : null
    }
    if (literal.kind === 'call' && literal.args.length === 0) {
      const result = file.module?.results.get(literal.callee)
      return result === undefined ? null : { file, literal: result }
    }
    if (literal.kind !== 'name' || file.module === null) return null
    const [name = '', ...path] = literal.name.split('.')
    const constant = file.module.constants.get(name)
    const imported = file.module.imports.get(name)
    const found =
      constant !== undefined
        ? { file, literal: constant }
        : imported === undefined
          ? null
          : await openModule(file, imported.from, imported.name)
    if (found === null || path.length === 0) return found
    const value = findProperty(found.literal, ...path)
    return value === null ? null : { file: found.file, literal: value }
  }

  return {
    paths: source.paths,
    has: (path) => known.has(path),
    hasFolder: (path) => folders.has(path),
    below: (folder) => source.paths.filter((path) => isBelow(path, folder)),
    open,
    async resolve(at) {
      let current = at
      for (let hop = 0; hop < MAX_HOPS; hop += 1) {
        const { kind } = current.literal
        if (kind !== 'name' && kind !== 'call') return current
        const next = await step(current)
        if (next === null) return current
        current = next
      }
      return current
    },
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
  const fail = (code: SiteFault['code'], detail: string, line: number | null = null, text = ''): ConfigFile => ({
    path,
    text,
    literal: null,
    module: null,
    fault: { path, line, code, detail },
  })
  if (bytes.length > MAX_BYTES) return fail('limit', 'it is larger than 2 MB')
  const decoded = decodeText(bytes)
  if (typeof decoded === 'string') return fail('invalid', 'it is not UTF-8 text')
  const { text } = decoded
  const plain = { path, text, literal: null, module: null, fault: null }
  if (/\.ya?ml$/i.test(path)) {
    const { literal, fault } = readYamlLiteral(text)
    return { ...plain, literal, fault: fault === null ? null : { path, ...fault } }
  }
  try {
    if (/\.json$/i.test(path)) {
      JSON.parse(text)
      return { ...plain, literal: parseJsonLiteral(text) }
    }
    if (!SCRIPT.test(path)) return plain
    if (text.length > MAX_SCRIPT_CHARS) return fail('limit', 'it is larger than 512 KB', null, text)
    const module = readModule(text)
    return { ...plain, literal: module.main, module }
  } catch (error) {
    if (error instanceof ScanError)
      return fail('limit', error.message, text.slice(0, error.offset).split('\n').length, text)
    if (!(error instanceof SyntaxError)) throw error
    const position = /position (\d+)/.exec(error.message)?.[1]
    const line = position === undefined ? null : text.slice(0, Number(position)).split('\n').length
    return fail('invalid', error.message.replace(/\s*in JSON at position.*$/s, ''), line, text)
  }
}
