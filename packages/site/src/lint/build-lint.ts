import type { LintDocs } from '../checks/lint-docs.ts'
import { lintMarkdown } from './lint-markdown.ts'
import { lintProse } from './lint-prose.ts'
import { lintSpelling } from './lint-spelling.ts'
import type { RunProgram } from './run-program.ts'

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
