import { callTool, type Plan } from './plan.ts'

/** Runs the checks on the changes. Returns a sentence for the body. */
export function* runCheck(): Plan<string> {
  const result = yield* callTool('Step: checking the changed pages.', 'check_docs', { scope: 'changed' })
  return result.isError ? 'The checks could not be run.' : 'The checks were run after the edits.'
}
