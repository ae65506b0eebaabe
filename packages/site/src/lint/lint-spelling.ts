import type { LintInput } from '../checks/lint-docs.ts'
import { joinPath, toFolder } from '../pages/paths.ts'
import type { CheckResult } from '../reading/result.ts'
import type { LintFinding } from '../thread/lint-finding.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { lintWithProgram } from './lint-with-program.ts'
import { readConfig } from './read-config.ts'
import type { ProgramFile, RunProgram } from './run-program.ts'
import { toLintSkipped } from './to-lint-result.ts'

const CONFIGS = ['.cspell', 'cspell', '.cSpell', 'cSpell', '.cspell.config', 'cspell.config'].flatMap((name) =>
  ['json', 'jsonc', 'yaml', 'yml'].map((extension) => `${name}.${extension}`),
)
const CODE = ['cspell.config.js', 'cspell.config.cjs', 'cspell.config.mjs', 'cspell.config.ts']
/** Settings that make cspell load code. */
const RUNS_CODE = new Set(['usePnP', 'pnpFiles', 'plugins', 'reporters', 'parser'])
const MAX_FILES = 50
const ROW = /^(.+?):(\d+):\d+ - (Unknown word|Forbidden word|Misspelled word)[^(]{0,50}\(([^)]{1,200})\)/

/**
 * Runs cspell on the changed pages if the repository has a configuration that consists only of
 * data.
 */
export function lintSpelling(runProgram: RunProgram) {
  return async (input: LintInput, paths: ReadonlySet<string>): Promise<CheckResult[]> => {
    const code = CODE.find((path) => paths.has(path))
    if (code !== undefined)
      return [toLintSkipped('cspell', code, 'cspell did not run: its configuration is code, which is never run.')]
    const config = CONFIGS.find((path) => paths.has(path))
    if (config === undefined) return []
    const files = new Map<string, ProgramFile>()
    const refusal = await collect(input.workspace, paths, config, files)
    if (refusal !== null) return [toLintSkipped('cspell', config, `cspell did not run: ${refusal}`)]
    const plan = {
      program: 'cspell' as const,
      config,
      files: [...files.values()],
      toArgs: (pages: readonly string[]) => [
        'lint',
        '--no-progress',
        '--no-summary',
        '--no-color',
        '--no-cache',
        '--no-gitignore',
        '--no-must-find-files',
        '--config',
        config,
        '--',
        ...pages.map((page) => `./${page}`),
      ],
      readOutput,
    }
    return [await lintWithProgram(runProgram, input, plan)]
  }
}

/**
 * Collects the configuration and the word lists and configurations it references. If one of them is
 * not data in this repository, returns a sentence that states the problem.
 */
async function collect(
  workspace: Workspace,
  paths: ReadonlySet<string>,
  path: string,
  files: Map<string, ProgramFile>,
): Promise<string | null> {
  if (files.has(path)) return null
  if (files.size >= MAX_FILES) return `it uses more than ${MAX_FILES} files.`
  const bytes = paths.has(path) ? await workspace.readBase(path) : null
  if (bytes === null) return `it uses ${JSON.stringify(path)}, which is not a file in this repository.`
  files.set(path, { path, bytes })
  if (/\.(?:txt|dic|trie)(?:\.gz)?$/.test(path)) return null
  const config = readConfig(path, bytes)
  if (config === null) return `${path} cannot be read.`
  const uses: string[] = []
  const refusal = findUses(config, uses, 0)
  if (refusal !== null) return refusal
  for (const use of uses) {
    const target = /^\.{0,2}[\w./-]+\.(?:jsonc?|ya?ml|txt|dic|trie)(?:\.gz)?$/.test(use)
      ? joinPath(toFolder(path), use)
      : null
    if (target === null) return `it uses ${JSON.stringify(use)}, which is not a data file in this repository.`
    const found = await collect(workspace, paths, target, files)
    if (found !== null) return found
  }
  return null
}

function findUses(value: unknown, uses: string[], depth: number): string | null {
  if (typeof value !== 'object' || value === null) return null
  if (depth > 20) return 'its configuration is nested too deeply.'
  for (const [key, child] of Object.entries(value)) {
    if (RUNS_CODE.has(key) && child !== false) return `its setting "${key}" loads code, which is never run.`
    if (key === 'import' || (key === 'path' && typeof child === 'string')) uses.push(...[child].flat().map(String))
    const refusal = findUses(child, uses, depth + 1)
    if (refusal !== null) return refusal
  }
  return null
}

function readOutput(stdout: string, code: number): Map<string, LintFinding[]> | null {
  const found = new Map<string, LintFinding[]>()
  for (const row of stdout.split('\n')) {
    const [, path, line, kind, word] = ROW.exec(row) ?? []
    if (path === undefined || word === undefined) continue
    const page = path.replace(/^(?:\.\/)+/, '')
    const finding = { rule: kind ?? '', line: Number(line), subject: word, message: `${kind}: "${word}"` }
    found.set(page, [...(found.get(page) ?? []), finding])
  }
  return code === 0 || found.size > 0 ? found : null
}
