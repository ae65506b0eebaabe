import type { LintInput } from '../checks/lint-docs.ts'
import type { CheckResult } from '../reading/result.ts'
import type { LintFinding } from '../thread/lint-finding.ts'
import type { ProgramFile, RunProgram } from './run-program.ts'
import { toLintResult, toLintSkipped } from './to-lint-result.ts'

interface ProgramPlan {
  readonly program: 'cspell' | 'vale'
  /** Repository-relative path of its configuration. */
  readonly config: string
  /** The configuration and the files it references. */
  readonly files: readonly ProgramFile[]
  toArgs(pages: readonly string[]): string[]
  /** Returns findings keyed by path, or null if the output is not in the program's format. */
  readOutput(stdout: string, code: number): Map<string, LintFinding[]> | null
}

/** Maximum number of pages per run. Any further changed pages are skipped. */
const MAX_PAGES = 50

/**
 * Runs a linter on the changed pages. If it reports findings, also runs it on the original pages,
 * to exclude existing findings.
 */
export async function lintWithProgram(
  runProgram: RunProgram,
  input: LintInput,
  plan: ProgramPlan,
): Promise<CheckResult> {
  const { workspace, renames } = input
  const { program, config } = plan
  const oldPaths = new Map([...renames].map(([from, to]) => [to, from]))
  const run = async (pages: readonly ProgramFile[]): Promise<Map<string, LintFinding[]> | string> => {
    if (pages.length === 0) return new Map()
    const paths = pages.map((page) => page.path)
    const result = await runProgram({ program, args: plan.toArgs(paths), files: [...plan.files, ...pages] })
    if (result.kind === 'absent')
      return `${program} is configured but not installed. Install ${program} on the worker machine.`
    if (result.kind === 'unsafe') return `${program} did not run: ${result.reason}.`
    if (result.kind === 'failed') return `${program} did not finish: ${result.reason}.`
    return plan.readOutput(result.stdout, result.code) ?? `${program} could not read this repository's configuration.`
  }
  const now: ProgramFile[] = input.changes
    .flatMap(({ path, after }) => (after === null ? [] : [{ path, bytes: after }]))
    .slice(0, MAX_PAGES)
  const after = await run(now)
  if (typeof after === 'string') return toLintSkipped(program, config, after)
  const old: ProgramFile[] = []
  for (const { path } of after.size === 0 ? [] : now) {
    const from = oldPaths.get(path) ?? path
    const bytes = await workspace.readBase(from)
    if (bytes !== null) old.push({ path: from, bytes })
  }
  const before = await run(old)
  if (typeof before === 'string') return toLintSkipped(program, config, before)
  return toLintResult(program, before, after, renames)
}
