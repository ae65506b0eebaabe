import { parseAllDocuments } from 'yaml'
import type { LintInput } from '../checks/lint-docs.ts'
import { isBelow, joinPath } from '../pages/paths.ts'
import type { CheckResult } from '../reading/result.ts'
import type { LintFinding } from '../thread/lint-finding.ts'
import { decodeText } from '../workspace/text-file.ts'
import { lintWithProgram } from './lint-with-program.ts'
import type { ProgramFile, RunProgram } from './run-program.ts'
import { toLintSkipped } from './to-lint-result.ts'

const MAX_FILES = 1_000
const MAX_BYTES = 8 * 1024 * 1024

/**
 * Runs Vale on the changed pages if the repository contains its configuration and styles. Styles
 * are never downloaded.
 */
export function lintProse(runProgram: RunProgram) {
  return async (input: LintInput, paths: ReadonlySet<string>): Promise<CheckResult[]> => {
    const config = ['.vale.ini', '_vale.ini'].find((path) => paths.has(path))
    if (config === undefined) return []
    const skip = (reason: string) => [toLintSkipped('vale', config, `Vale did not run: ${reason}`)]
    const bytes = await input.workspace.readBase(config)
    const file = bytes === null ? 'binary' : decodeText(bytes)
    if (bytes === null || typeof file === 'string') return skip('its configuration cannot be read.')
    const styles = /^[ \t]*StylesPath[ \t]*=[ \t]*(\S{1,500})[ \t]*$/m.exec(file.text)?.[1]
    const folder = styles === undefined || styles.startsWith('/') ? null : joinPath('', styles)
    if (styles !== undefined && folder === null) return skip('its StylesPath is outside the repository.')
    const named = folder === null || folder === '' ? [] : [...paths].filter((path) => isBelow(path, folder))
    if (/^[ \t]*Packages[ \t]*=/m.test(file.text) && !named.some((path) => /\.ya?ml$/.test(path))) {
      return skip('its packages are not in the repository, and packages are never downloaded.')
    }
    if (named.length > MAX_FILES) return skip(`its styles have more than ${MAX_FILES} files.`)
    const files: ProgramFile[] = [{ path: config, bytes }]
    let size = 0
    for (const path of named) {
      const style = await input.workspace.readBase(path)
      if (style === null) continue
      size += style.length
      if (size > MAX_BYTES) return skip('its styles are larger than 8 MB.')
      if (/\.ya?ml$/.test(path) && isValeScript(new TextDecoder().decode(style))) {
        return skip(`${path} is a script, which is never run.`)
      }
      files.push({ path, bytes: style })
    }
    const plan = {
      program: 'vale' as const,
      config,
      files,
      toArgs: (pages: readonly string[]) => [
        '--no-global',
        '--no-exit',
        '--output=JSON',
        `--config=${config}`,
        ...pages.map((page) => `./${page}`),
      ],
      readOutput,
    }
    return [await lintWithProgram(runProgram, input, plan)]
  }
}

function readOutput(stdout: string, code: number): Map<string, LintFinding[]> | null {
  let output: unknown
  try {
    output = JSON.parse(stdout === '' ? '{}' : stdout)
  } catch {
    return null
  }
  if (code !== 0 || typeof output !== 'object' || output === null || 'Code' in output) return null
  const found = new Map<string, LintFinding[]>()
  for (const [path, alerts] of Object.entries(output)) {
    if (!Array.isArray(alerts)) return null
    found.set(path.replace(/^(?:\.\/)+/, ''), alerts.map(toFinding))
  }
  return found
}

function toFinding(alert: unknown): LintFinding {
  const { Check, Line, Match, Message } = Object(alert)
  return { rule: String(Check), line: Number(Line) || 1, subject: String(Match), message: `${Check}: ${Message}` }
}

/**
 * Returns true if a Vale rule extends `script`, whose code Vale runs. Vale ignores the case of keys.
 * A file that cannot be parsed also counts, because Vale's parser may accept it.
 */
export function isValeScript(text: string): boolean {
  try {
    return [parseAllDocuments(text, { uniqueKeys: false, merge: true })].flat().some((document) => {
      if ('errors' in document && document.errors.length > 0) return true
      const rule: unknown = document.toJS()
      if (typeof rule !== 'object' || rule === null) return false
      return Object.entries(rule).some(
        ([key, value]) => key.toLowerCase() === 'extends' && String(value).trim().toLowerCase() === 'script',
      )
    })
  } catch {
    return true
  }
}
