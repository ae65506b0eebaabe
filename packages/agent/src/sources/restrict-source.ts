import { WorkspaceError } from '@corrigenda/git/workspace'
import type { AgentSource, SourceRange, SourceReader } from './agent-source.ts'

/** Returns a source without the files that the agent may not read. */
export function restrictSource(source: AgentSource, isReadable: (path: string) => boolean): AgentSource {
  return {
    ...source,
    workspace: restrictReader(source.workspace, isReadable),
    recentChanges: async () => {
      const range = await source.recentChanges()
      return range && restrictRange(range, isReadable)
    },
  }
}

function restrictRange(range: SourceRange, isReadable: (path: string) => boolean): SourceRange {
  return {
    ...range,
    files: range.files.filter(({ path }) => isReadable(path)),
    openBase: async () => restrictReader(await range.openBase(), isReadable),
  }
}

function restrictReader(reader: SourceReader, isReadable: (path: string) => boolean): SourceReader {
  return {
    list: async () => (await reader.list()).filter(({ path }) => isReadable(path)),
    find: async (path) => (isReadable(path) ? await reader.find(path) : null),
    async read(path) {
      if (!isReadable(path)) throw new WorkspaceError('not_found', `${JSON.stringify(path)} does not exist.`)
      return await reader.read(path)
    },
  }
}
