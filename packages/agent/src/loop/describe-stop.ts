import { type Evidence, findToolCall } from '@corrigenda/contracts'
import { formatGrave, matchRenames } from '@corrigenda/site/checks'
import { verifyChange } from '@corrigenda/site/move'
import type { Leak } from '../leaks/index.ts'
import type { ModelError } from '../model/model-error.ts'
import { cleanBody } from '../tools/clean-body.ts'
import { findSourceLeaks } from '../tools/find-source-leaks.ts'
import { findViolations } from '../tools/find-violations.ts'
import type { AgentDeps, AgentInput, StopCode } from './agent-input.ts'
import { describeBudget } from './check-budget.ts'
import { type RunState, toCalls } from './read-state.ts'

const MAX_ROWS = 10

/** Explains why the change violates the policy, with the affected paths. */
export async function describeViolations(deps: AgentDeps, state: RunState): Promise<string> {
  const { title, body } = readLastFinish(state)
  const violations = await findViolations({ ...deps, knownSecrets: deps.knownSecrets ?? [] }, title, cleanBody(body))
  return `The change violates this project's policy, and the model did not correct it. ${join(violations.map((found) => found.message))}`
}

/** Explains what the change would publish, without repeating it. */
export async function describeRepeatedLeaks(deps: AgentDeps, state: RunState): Promise<string> {
  const { title, body, evidence } = readLastFinish(state)
  const sources = deps.sources ?? []
  const { reads } = state
  const input = { repository: deps.whole ?? deps.workspace, sources, title, body: cleanBody(body), evidence, reads }
  return describeLeaks(await findSourceLeaks(input))
}

export const describeLeaks = (leaks: readonly Leak[]): string =>
  `The change would publish text of a private source. ${join(leaks.map(({ message }) => message))}`

/** Describes the issues that the change introduces. */
export async function describeProblems(deps: AgentDeps): Promise<string> {
  const results = await deps.checkDocs({ workspace: deps.workspace, scope: 'changed' })
  const { damage } = await verifyChange(deps.workspace, matchRenames(await deps.workspace.changes()), deps.pages)
  return `The change introduces issues that the model did not fix. ${join([...damage, ...formatGrave(results)])}`
}

/** Describes a refusal. The category is not stored, so it is null in a resumed run. */
export function describeRefusal(category: string | null): string {
  const why = category === null ? '' : ` (category: ${category.slice(0, 60)})`
  return `The model declined to work on this request${why}.`
}

export function describeTruncation({ reported, least }: { reported: number; least: number }): string {
  return `The model API reported ${reported} tokens for a prompt of at least ${least} tokens, so it silently truncates prompts. Increase the context window of the server (Ollama: OLLAMA_CONTEXT_LENGTH) and set MODEL_CONTEXT_TOKENS to the same value. If the server only omits cached tokens from its count, set MODEL_TRUNCATION_CHECK=off.`
}

/** Advice that is appended if even the first prompt does not fit. */
const TOO_SMALL =
  ' If the model has a small context window, increase it and set MODEL_CONTEXT_TOKENS to the same value.'

function join(rows: readonly string[]): string {
  const more = rows.length > MAX_ROWS ? ` … and ${rows.length - MAX_ROWS} more.` : ''
  return `${rows.slice(0, MAX_ROWS).join(' ')}${more}`
}

function readLastFinish(state: RunState): { title: string | null; body: string; evidence: readonly Evidence[] } {
  for (const row of [...state.rows].reverse()) {
    if (row.role !== 'assistant') continue
    const call = toCalls(row)
      .map(findToolCall)
      .find((known) => known?.name === 'finish')
    if (call === undefined) continue
    const { title = null, body = '', evidence = [] } = call.input
    return { title, body, evidence }
  }
  return { title: null, body: '', evidence: [] }
}

type StepAfterModelError =
  | { readonly kind: 'defer'; readonly afterMs: number }
  | { readonly kind: 'stop'; readonly code: StopCode; readonly message: string }
  | { readonly kind: 'new_conversation'; readonly reason: string }

/**
 * Returns the next step of a run after a failed model call.
 * @param isFresh true if the conversation does not contain a reply yet, so a new conversation would
 *   fail in the same way
 */
export function decideAfterModelError(
  error: ModelError,
  { isFresh, budgets }: { isFresh: boolean } & Pick<AgentInput, 'budgets'>,
): StepAfterModelError {
  const { code, message, retryAfterMs } = error
  // A longer wait would occupy the job's slot, so the run is deferred.
  if (error.retryable && retryAfterMs !== null && retryAfterMs > 0) return { kind: 'defer', afterMs: retryAfterMs }
  switch (code) {
    case 'model_context_exceeded':
    case 'model_prefix_invalid': {
      if (!isFresh) return { kind: 'new_conversation', reason: message }
      const advice = code === 'model_context_exceeded' ? TOO_SMALL : ''
      return { kind: 'stop', code: 'model_bad_request', message: `${message}${advice}` }
    }
    case 'model_deadline':
      return { kind: 'stop', code: 'budget_time', message: describeBudget('budget_time', budgets) }
    case 'model_rate_limited':
    case 'model_stalled':
      return { kind: 'stop', code: 'model_unavailable', message }
    default:
      return { kind: 'stop', code, message }
  }
}
