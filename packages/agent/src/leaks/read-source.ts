import { buildGlob } from '@corrigenda/git/text'
import type { WorkspaceEntry } from '@corrigenda/git/workspace'
import type { AddedStream } from './added-stream.ts'
import type { Pacer } from './build-pacer.ts'
import type { PassageIndex } from './build-passage-index.ts'
import { copiedCredentials } from './copied-credentials.ts'
import type { NameCandidate, NameTest } from './find-names.ts'
import { findPassages } from './find-passages.ts'
import { internalHosts } from './internal-hosts.ts'
import type { LeakSource } from './leak.ts'
import type { AddedText } from './list-added-texts.ts'
import type { Passage } from './passage.ts'
import { privatePackages } from './private-packages.ts'
import { listPathLeaks } from './source-paths.ts'
import { squeezeFile } from './squeeze-file.ts'
import { toSourceText } from './squeeze-text.ts'
import { type SourceFile, streamFiles } from './stream-files.ts'

const NAME_TESTS: readonly NameTest[] = [internalHosts, privatePackages, copiedCredentials]
/**
 * Legal texts are the same in many repositories. The name must be that of a text, such as
 * `LICENSE-APACHE-2.0`, and not that of code about licenses or notices.
 */
const LEGAL =
  /(?:^|\/)(?:(?:un)?licen[sc]es?|copying|notices?|third[-_]?party[-_](?:notices?|licen[sc]es?))(?:[-_.](?:mit|apache|bsd|isc|mpl|epl|[al]?gpl|cc0|ofl|lesser|lib))?(?:[-_.]?v?\d[\d.]*)?(?:[-_]clause)?(?:\.(?:txt|md|markdown|rst))?$/i

/** What a change repeats from one private source, including text that is already public. */
export interface Findings {
  readonly source: LeakSource
  readonly passages: readonly Passage[]
  readonly names: readonly NameCandidate[]
}

interface Candidates {
  readonly test: NameTest
  /** By name. */
  readonly places: ReadonlyMap<string, readonly NameCandidate[]>
}

/** Returns the names in the added text that could be internal names of a source. */
export async function listCandidates(texts: readonly AddedText[], pace: Pacer): Promise<Candidates[]> {
  const found: Candidates[] = []
  for (const test of NAME_TESTS) {
    const places = new Map<string, NameCandidate[]>()
    for (const candidate of await test.listCandidates(texts, pace)) {
      const same = places.get(candidate.value)
      if (same === undefined) places.set(candidate.value, [candidate])
      else same.push(candidate)
    }
    found.push({ test, places })
  }
  return found
}

export interface ReadSourceInput {
  readonly source: LeakSource
  readonly texts: readonly AddedText[]
  readonly stream: AddedStream
  readonly index: PassageIndex
  readonly candidates: readonly Candidates[]
}

/** Reads the files of a private source one after the other, and compares each with the change. */
export async function readSource(input: ReadSourceInput, pace: Pacer): Promise<Findings> {
  const { source, texts, stream, index, candidates } = input
  const isQuotable = source.quotable.length === 0 ? () => false : buildGlob(source.quotable, { ignoreCase: true })
  const entries: readonly WorkspaceEntry[] = await source.reader.list()
  const secret = entries.filter(({ path }) => !isQuotable(path))
  const earlier = ((await source.readEarlier?.()) ?? []).filter(({ path }) => !isQuotable(path))
  const names = await listPathLeaks(
    texts,
    source,
    secret.map(({ path }) => path),
    pace,
  )
  const passages: Passage[] = []
  const open = candidates.map(({ test, places }) => ({ test, places, wanted: new Set(places.keys()) }))
  const buffer = { codes: new Uint16Array(64 * 1024), ends: new Int32Array(64 * 1024) }
  for await (const { path, bytes } of listFiles(secret, source.reader.read, earlier)) {
    const file = squeezeFile(bytes, buffer)
    if (file === null) continue
    const matches = LEGAL.test(path) ? [] : index.findMatches(file)
    if (matches.length > 0) passages.push(...findPassages(stream, bytes, file, matches))
    let text: string | null = null
    const readText = () => {
      text ??= toSourceText(bytes) ?? ''
      return text
    }
    for (const { test, places, wanted } of open) {
      if (wanted.size === 0) continue
      for (const value of test.listInternal(path, readText, wanted)) {
        if (wanted.delete(value)) names.push(...(places.get(value) ?? []))
      }
    }
  }
  return { source, passages, names }
}

async function* listFiles(
  entries: readonly WorkspaceEntry[],
  read: LeakSource['reader']['read'],
  earlier: readonly SourceFile[],
): AsyncGenerator<SourceFile> {
  yield* streamFiles(entries, read)
  yield* earlier
}
