import type { Configuration } from 'markdownlint'
import { lint } from 'markdownlint/sync'
import { decodeText } from '../workspace/text-file.ts'
import type { LintFinding } from './lint-finding.ts'

const MAX_FINDINGS = 1_000

/**
 * Checks a page against markdownlint rules. `rules` is plain data. No code is loaded or run.
 * Synchronous CPU work. Returns no findings for bytes that are not text.
 */
export function runMarkdownlint(bytes: Uint8Array, rules: Readonly<Record<string, unknown>>): LintFinding[] {
  const file = decodeText(bytes)
  if (typeof file === 'string') return []
  const lines = file.text.split('\n')
  const results = lint({ strings: { page: file.text }, config: rules as Configuration, handleRuleFailures: true })
  return (results.page ?? []).slice(0, MAX_FINDINGS).map((error) => {
    const rule = error.ruleNames[0] ?? ''
    const detail = [error.errorDetail, error.errorContext && `"${error.errorContext}"`].filter(Boolean).join(' ')
    return {
      rule,
      line: error.lineNumber,
      subject: `${detail} ${lines[error.lineNumber - 1] ?? ''}`.slice(0, 500),
      message: `${error.ruleNames.join('/')} ${error.ruleDescription}${detail === '' ? '' : `: ${detail}`}`,
    }
  })
}
