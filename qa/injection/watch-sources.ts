import { createHash } from 'node:crypto'
import { checkEvidence } from '@corrigenda/agent/internal/tools/check-evidence'
import { addSourceRead, type SourceReads } from '@corrigenda/agent/internal/tools/source-reads'
import type { AgentSource } from '@corrigenda/agent/sources'
import { findToolCall } from '@corrigenda/contracts'
import { decodeText, toLines } from '@corrigenda/git/workspace'
import { OUTSIDE } from './fuzz-sources.ts'

/** A result of a call. */
interface SourceResult {
  readonly name: string
  readonly input: unknown
  readonly text: string
  readonly isError: boolean
}

interface SourceWatch {
  readonly reads: SourceReads
  /** Adds a result. Returns a sentence if it has text that the call must not return. */
  add(result: SourceResult): string | null
  /**
   * Returns a sentence for each source that a call changed, and for each line that counts as read
   * although no result contained it.
   */
  findFaults(): Promise<string[]>
}

const TOKEN = /L\d{4}z/g

/** Watches the calls of one run. Lines are recognized by their tokens. */
export async function watchSources(sources: readonly AgentSource[]): Promise<SourceWatch> {
  const [first, lines] = [await toDigest(sources), await listTokens(sources)]
  const shown = new Map<string, Set<string>>()
  let reads: SourceReads = {}
  return {
    get reads() {
      return reads
    },
    add({ name, input, text, isError }) {
      const call = findToolCall({ name, input })
      const { source } = Object(input)
      if (call !== null && !isError) reads = addSourceRead(reads, call, text)
      const known = shown.get(source) ?? new Set()
      shown.set(source, known)
      for (const [token] of text.matchAll(TOKEN)) known.add(token)
      return text.includes(OUTSIDE) && source !== 'open' ? 'text outside the paths of a source' : null
    },
    async findFaults() {
      const faults = (await toDigest(sources)) === first ? [] : ['a source was changed']
      const workspace = {
        changes: async () => [{ path: 'a.md', kind: 'modified', before: null, after: null }] as const,
      }
      for (const { source, path, number, token } of lines) {
        const entry = { page: 'a.md', source, path, fromLine: number, toLine: number, note: '' }
        const refused = await checkEvidence({ sources, workspace } as never, [entry], reads)
        if (refused.length === 0 && shown.get(source)?.has(token) !== true) {
          faults.push(`line ${number} of ${path} of ${source} counts as read, but was not shown`)
        }
      }
      return faults
    },
  }
}

async function listTokens(sources: readonly AgentSource[]) {
  const found: { source: string; path: string; number: number; token: string }[] = []
  for (const { name, workspace } of sources) {
    for (const { path, kind } of await workspace.list()) {
      const file = kind === 'file' ? decodeText(await workspace.read(path)) : 'binary'
      if (typeof file === 'string') continue
      for (const [index, text] of toLines(file.text).entries()) {
        const [token] = text.match(TOKEN) ?? []
        if (token !== undefined) found.push({ source: name, path, number: index + 1, token })
      }
    }
  }
  return found
}

async function toDigest(sources: readonly AgentSource[]): Promise<string> {
  const hash = createHash('sha1')
  for (const { name, workspace } of sources) {
    for (const { path, kind } of await workspace.list()) {
      hash.update(JSON.stringify([name, path, kind]))
      if (kind !== 'submodule') hash.update(await workspace.read(path))
    }
  }
  return hash.digest('hex')
}
