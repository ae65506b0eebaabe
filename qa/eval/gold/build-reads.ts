import type { Solution, Task } from '../task/task.ts'
import type { ToolCall } from './build-replay.ts'

/**
 * Returns the model turns that read the sources: their recent changes, and the files that the
 * solution cites, because the product rejects evidence that was not read.
 */
export function buildReads({ sources = [] }: Pick<Task, 'sources'>, { ending }: Solution): ToolCall[][] {
  const changes = sources.map(({ name }) => ({ name: 'source_changes', input: { source: name } }))
  const cited = (ending.evidence ?? []).map(({ source, path }) => ({ name: 'view', input: { source, path } }))
  const unique = new Map([...changes, ...cited].map((call) => [JSON.stringify(call), call]))
  return unique.size === 0 ? [] : [[...unique.values()]]
}
