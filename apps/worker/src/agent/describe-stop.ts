import { formatBlocking } from '../checks/format-checks.ts'
import type { AgentDeps } from './agent-input.ts'
import { cleanBody } from './clean-body.ts'
import { findViolations } from './find-violations.ts'
import { type RunState, toCalls } from './read-state.ts'

const MAX_ROWS = 10

/** Why the change may not leave, with the paths concerned. */
export async function describeViolations(deps: AgentDeps, state: RunState): Promise<string> {
  const { title, body } = readLastFinish(state)
  const violations = await findViolations({ ...deps, canaries: deps.canaries ?? [] }, title, cleanBody(body))
  return `The change breaks the policy of this project, and the model did not take that back. ${join(violations.map((found) => found.message))}`
}

/** What the change still breaks. */
export async function describeProblems(deps: AgentDeps): Promise<string> {
  const results = await deps.checkDocs({ workspace: deps.workspace, scope: 'changed' })
  return `The change introduces problems that the model did not mend. ${join(formatBlocking(results))}`
}

function join(rows: readonly string[]): string {
  const more = rows.length > MAX_ROWS ? ` … and ${rows.length - MAX_ROWS} more.` : ''
  return `${rows.slice(0, MAX_ROWS).join(' ')}${more}`
}

function readLastFinish(state: RunState): { title: string | null; body: string } {
  for (const row of [...state.rows].reverse()) {
    if (row.role !== 'assistant') continue
    const call = toCalls(row).find(({ name }) => name === 'finish')
    if (call === undefined) continue
    const { title, body } = Object(call.input)
    return { title: typeof title === 'string' ? title : null, body: typeof body === 'string' ? body : '' }
  }
  return { title: null, body: '' }
}
