import type { AgentSource, SourceReader } from '../sources/agent-source.ts'
import { type ToolContext, ToolError } from './tool.ts'

/** Returns a source of the job. Throws ToolError with the available names for an unknown name. */
export function getSource({ sources }: Pick<ToolContext, 'sources'>, name: string): AgentSource {
  const found = sources.find((source) => source.name === name)
  if (found !== undefined) return found
  const names = sources.map((source) => source.name).join(', ')
  throw new ToolError(
    `There is no source ${JSON.stringify(name)}. ${names === '' ? 'This job has no sources.' : `Available sources: ${names}.`}`,
  )
}

/** Returns the files that a call reads: a source, or the files that the agent edits. */
export function getReader(context: Pick<ToolContext, 'sources' | 'workspace'>, name: string | undefined): SourceReader {
  return name === undefined ? context.workspace : getSource(context, name).workspace
}
