import { isBelow, joinPath, toFolder } from '../pages/paths.ts'
import { buildGlob } from '../workspace/build-glob.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { readConfig } from './read-config.ts'

type MarkdownlintRules =
  | { readonly kind: 'rules'; readonly file: string; readonly rules: Record<string, unknown> }
  /** Unsupported configuration; `reason` is a sentence. */
  | { readonly kind: 'refused'; readonly file: string; readonly reason: string }
  /** No configuration for this page, or the page is ignored. */
  | { readonly kind: 'none' }

const OPTIONS = ['.markdownlint-cli2.jsonc', '.markdownlint-cli2.yaml']
const RULES = [
  '.markdownlint.jsonc',
  '.markdownlint.json',
  '.markdownlint.yaml',
  '.markdownlint.yml',
  '.markdownlintrc',
]
const CODE = ['.markdownlint-cli2.cjs', '.markdownlint-cli2.mjs', '.markdownlint.cjs', '.markdownlint.mjs']
const MAX_EXTENDS = 5

/**
 * Returns a function that finds the rules for a page. It reads the configuration in the base
 * commit, so that a change cannot relax the rules it is checked against.
 */
export function buildMarkdownlintRules(workspace: Workspace, paths: ReadonlySet<string>) {
  const folders = new Map<string, Promise<MarkdownlintRules & { readonly ignores?: (path: string) => boolean }>>()
  const read = async (path: string) => {
    const bytes = paths.has(path) ? await workspace.readBase(path) : null
    return bytes === null ? null : readConfig(path, bytes)
  }
  const refuse = (file: string, reason: string) => ({ kind: 'refused', file, reason }) as const

  const extend = async (file: string, rules: Record<string, unknown>, depth = 0): Promise<MarkdownlintRules> => {
    const { extends: base, $schema: _, ...own } = rules
    if (base === undefined || base === null) return { kind: 'rules', file, rules: own }
    const target = typeof base === 'string' && /^\.{0,2}[\w./-]+$/.test(base) ? joinPath(toFolder(file), base) : null
    if (target === null || !paths.has(target) || depth >= MAX_EXTENDS || /\.[cm]?js$/.test(target)) {
      return refuse(
        file,
        'The configuration extends something other than a data file in this repository. Only such files are loaded.',
      )
    }
    const inherited = await read(target)
    if (inherited === null) return refuse(target, 'The file cannot be read.')
    const found = await extend(target, inherited, depth + 1)
    return found.kind === 'rules' ? { kind: 'rules', file, rules: { ...found.rules, ...own } } : found
  }

  const readFolder = async (folder: string) => {
    const names = (list: readonly string[]) =>
      list.map((name) => (folder === '' ? name : `${folder}/${name}`)).filter((path) => paths.has(path))
    const [code] = names(CODE)
    if (code !== undefined)
      return refuse(
        code,
        'The file is code, which is never run. Use .markdownlint.jsonc or .markdownlint.yaml instead.',
      )
    const [options] = names(OPTIONS)
    const [rules] = names(RULES)
    if (options === undefined && rules === undefined) return null
    const given = options === undefined ? {} : await read(options)
    const own = rules === undefined ? {} : await read(rules)
    if (given === null || own === null) return refuse(rules ?? options ?? folder, 'The file cannot be read.')
    const config = typeof given.config === 'object' && given.config !== null ? given.config : {}
    const found = await extend(rules ?? options ?? folder, { ...config, ...own })
    const ignores = Array.isArray(given.ignores) ? given.ignores.filter((one) => typeof one === 'string') : []
    return { ...found, ignores: buildIgnores(folder, ignores) }
  }

  /** Returns the rules from the nearest folder that defines any. */
  return async (page: string): Promise<MarkdownlintRules> => {
    for (let folder = toFolder(page); ; folder = toFolder(folder)) {
      let known = folders.get(folder)
      if (known === undefined) {
        known = readFolder(folder).then((found) => found ?? { kind: 'none' })
        folders.set(folder, known)
      }
      const found = await known
      if (found.kind !== 'none') return found.ignores?.(page) === true ? { kind: 'none' } : found
      if (folder === '') return found
    }
  }
}

function buildIgnores(folder: string, patterns: readonly string[]): (path: string) => boolean {
  const globs = patterns.flatMap((pattern) => {
    const plain = pattern.replace(/^\.?\//, '').replace(/\/$/, '/**')
    return plain === '' || plain.startsWith('!') ? [] : [plain, `${plain}/**`]
  })
  if (globs.length === 0) return () => false
  try {
    const matches = buildGlob(globs)
    return (path) => isBelow(path, folder) && matches(folder === '' ? path : path.slice(folder.length + 1))
  } catch {
    return () => false
  }
}
