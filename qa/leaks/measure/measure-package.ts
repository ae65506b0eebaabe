import { findLeaks, type Leak, type LeakSource } from '@corrigenda/agent/leaks'
import { decodeText, toLines, type WorkspaceEntry } from '@corrigenda/git/workspace'
import { openRelease } from '../corpus/open-release.ts'
import type { PackageRecord } from '../corpus/package-record.ts'
import { listDocChanges } from './list-doc-changes.ts'

/** A finding in a real change of documentation. */
export interface Refusal {
  /** `id version kind "path"` */
  readonly key: string
  readonly leak: Leak
  /** First lines of the text, for a person to judge. */
  readonly excerpt: readonly string[]
}

export interface MeasuredChange {
  /** Name of the package and the later version. */
  readonly name: string
  readonly files: number
  readonly refusals: readonly Refusal[]
}

const EXCERPT_LINES = 4

/**
 * Treats the code of each release as a private source, and the documentation of the release as the
 * change of an agent. Skips releases that do not change the documentation.
 */
export async function measurePackage(
  record: PackageRecord,
  cache: string,
  rest: Partial<LeakSource> = {},
): Promise<MeasuredChange[]> {
  const measured: MeasuredChange[] = []
  let before: Awaited<ReturnType<typeof openRelease>> | null = null
  for (const release of record.releases) {
    const opened = await openRelease(record, release, cache)
    const docs = before?.docs
    before = opened
    if (docs === undefined) continue
    const changes = listDocChanges(docs, opened.docs)
    if (changes.length === 0) continue
    const entries = Array.from(docs.keys(), (path): WorkspaceEntry => ({ path, kind: 'file', executable: false }))
    const leaks = await findLeaks({
      changes,
      title: `Update the documentation for ${release.version}`,
      body: `Describes the changes in ${release.version}.`,
      base: { listBase: async () => entries, readBase: async (path) => docs.get(path) ?? null },
      sources: [
        {
          name: record.id,
          visibility: 'private',
          cite: 'none',
          quotable: [],
          repository: `https://git.example.com/code/${record.id}.git`,
          reader: opened.code,
          ...rest,
        },
      ],
    })
    const name = `${record.id} ${release.version}`
    measured.push({ name, files: changes.length, refusals: leaks.map((leak) => toRefusal(name, leak, opened.docs)) })
  }
  return measured
}

function toRefusal(name: string, leak: Leak, docs: ReadonlyMap<string, Uint8Array>): Refusal {
  const [, first, last, path] = /^Lines? (\d+)(?: to (\d+))? of (".*")$/.exec(leak.where) ?? []
  const key = `${name} ${leak.kind} ${path ?? leak.where}`
  const bytes = path === undefined ? undefined : docs.get(String(JSON.parse(path)))
  const file = bytes === undefined ? 'binary' : decodeText(bytes)
  const lines = typeof file === 'string' ? [] : toLines(file.text).slice(Number(first) - 1, Number(last ?? first))
  return { key, leak, excerpt: lines.slice(0, EXCERPT_LINES).map((line) => line.slice(0, 110)) }
}
