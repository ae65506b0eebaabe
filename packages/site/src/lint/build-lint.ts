import type { LintDocs, LintInput } from '../checks/lint-docs.ts'
import type { CheckResult } from '../reading/result.ts'
import type { LintFinding } from '../thread/lint-finding.ts'
import { buildMarkdownlintRules } from './find-markdownlint-rules.ts'
import { lintProse } from './lint-prose.ts'
import { lintSpelling } from './lint-spelling.ts'
import type { RunProgram } from './run-program.ts'
import { toLintResult, toLintSkipped } from './to-lint-result.ts'

/**
 * Builds the linters that a repository may configure. markdownlint is bundled. cspell and Vale run
 * only if they are installed.
 */
export function buildLint(runProgram: RunProgram): LintDocs {
  return async (input) => {
    if (input.changes.length === 0) return []
    const paths = new Set(
      (await input.workspace.listBase()).filter(({ kind }) => kind === 'file').map(({ path }) => path),
    )
    const results = []
    for (const lint of [lintMarkdown, lintSpelling(runProgram), lintProse(runProgram)])
      results.push(...(await lint(input, paths)))
    return results
  }
}

/**
 * Runs markdownlint on the changed pages with the repository's configuration. Returns an empty list
 * if no configuration applies.
 */
async function lintMarkdown(input: LintInput, paths: ReadonlySet<string>): Promise<CheckResult[]> {
  const { workspace, changes, renames, runner } = input
  const oldPaths = new Map([...renames].map(([from, to]) => [to, from]))
  const findRules = buildMarkdownlintRules(workspace, paths)
  const before = new Map<string, readonly LintFinding[]>()
  const after = new Map<string, readonly LintFinding[]>()
  let refused: { file: string; reason: string } | null = null
  let configured = false
  for (const { path, after: bytes } of changes) {
    const found = await findRules(path)
    if (found.kind === 'none' || bytes === null) continue
    configured = true
    if (found.kind === 'refused') {
      refused ??= found
      continue
    }
    const lint = async (text: Uint8Array) => {
      const result = await runner.run({ kind: 'markdownlint', bytes: text, rules: found.rules }, workspace)
      if (!result.done) refused ??= { file: path, reason: 'Linting this page took too long.' }
      return result.done ? result.value : []
    }
    after.set(path, await lint(bytes))
    const old = await workspace.readBase(oldPaths.get(path) ?? path)
    if (old !== null) before.set(oldPaths.get(path) ?? path, await lint(old))
  }
  if (refused !== null)
    return [toLintSkipped('markdownlint', refused.file, `markdownlint did not run. ${refused.reason}`)]
  return configured ? [toLintResult('markdownlint', before, after, renames)] : []
}
