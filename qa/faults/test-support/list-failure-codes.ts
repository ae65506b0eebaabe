import { readdirSync, readFileSync } from 'node:fs'
import type { StopCode } from '@corrigenda/agent/internal/loop/agent-input'
import type { PushRejection } from '@corrigenda/git/internal/commit/push-branch'
import type { PullRequestRefused } from '@corrigenda/worker/internal/publish/ensure-pull-request'
import { CREDENTIALS_RULES, HOST_RULES, REPOSITORY_RULES } from '@corrigenda/worker/internal/run/to-run-end'

// A code that is missing here or in its type is a compile error.
const STOPS: Readonly<Record<StopCode, true>> = {
  budget_turns: true,
  budget_tokens: true,
  budget_cost: true,
  budget_time: true,
  model_refused: true,
  model_billing: true,
  model_unauthorized: true,
  model_not_found: true,
  model_bad_request: true,
  model_bad_reply: true,
  model_unavailable: true,
  context_exhausted: true,
  context_truncated: true,
  stuck: true,
  no_finish: true,
  checks_failed: true,
  policy_violation: true,
}
const PUSHES: Readonly<Record<PushRejection, true>> = { branch_conflict: true, branch_protected: true, rejected: true }
const PULLS: Readonly<Record<PullRequestRefused['code'], true>> = {
  no_commits: true,
  invalid_head: true,
  invalid_base: true,
  head_mismatch: true,
}

/** Folders of the code that contains literal codes and forwards failures of the types above. */
const PLACES = [
  new URL('../../../apps/worker/src/run/', import.meta.url),
  new URL('../../../packages/core/src/runs/', import.meta.url),
]
const HANDED_ON = /^(result\.code|error\.code|`pull_request_\$\{pull\.code\}`)$/

/**
 * Returns every failure code of a job, sorted.
 * @throws Error if a failure is created from a value that is neither a literal nor one of the types
 *   above
 */
export function listFailureCodes(): string[] {
  const rules = [HOST_RULES, REPOSITORY_RULES, CREDENTIALS_RULES].flatMap((table) => Object.values(table))
  const pulls = Object.keys(PULLS).map((code) => `pull_request_${code}`)
  const literals = PLACES.flatMap(readSources).flatMap(findLiterals)
  const all = [...rules.map(({ code }) => code), ...Object.keys(STOPS), ...Object.keys(PUSHES), ...pulls, ...literals]
  return [...new Set(all)].sort()
}

function readSources(folder: URL): string[] {
  const names = readdirSync(folder).filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
  return names.map((name) => readFileSync(new URL(name, folder), 'utf8'))
}

function findLiterals(source: string): string[] {
  const written = [...source.matchAll(/\bcode: '([a-z_]+)'/g)].map(([, code]) => code ?? '')
  const thrown = [...source.matchAll(/new RunFailure\(\s*([^,]+),/g)].map(([, code]) => (code ?? '').trim())
  const unknown = thrown.find((code) => !/^'[a-z_]+'$/.test(code) && !HANDED_ON.test(code))
  if (unknown) throw new Error(`A failure is made of ${unknown}: add the codes it stands for to this file.`)
  return [...written, ...thrown.filter((code) => code.startsWith("'")).map((code) => code.slice(1, -1))]
}
