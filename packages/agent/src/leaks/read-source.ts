import { buildGlob } from '@corrigenda/git/text'
import type { AddedStream, AddedText } from './added-texts.ts'
import { findPassages, type Passage } from './find-passages.ts'
import {
  copiedCredentials,
  internalHosts,
  listCandidates,
  listGenerated,
  type NameCandidate,
  type NameTest,
  privatePackages,
} from './internal-names.ts'
import type { LeakSource } from './leak.ts'
import type { PassageIndex } from './passage-index.ts'
import { listPathLeaks } from './source-paths.ts'
import { squeezeFile, squeezeText, toSourceText } from './squeeze.ts'
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

/** The added text in the forms that are compared. */
interface Added {
  readonly texts: readonly AddedText[]
  readonly stream: AddedStream
  readonly index: PassageIndex
  readonly candidates: readonly { test: NameTest; places: ReadonlyMap<string, readonly NameCandidate[]> }[]
}

/** Returns the names in the added text that could be internal names of a source. */
export function listAllCandidates(texts: readonly AddedText[]): Added['candidates'] {
  return NAME_TESTS.map((test) => {
    const places = new Map<string, NameCandidate[]>()
    for (const candidate of listCandidates(texts, test.kind, (line) => test.listNames(line))) {
      const same = places.get(candidate.value)
      if (same === undefined) places.set(candidate.value, [candidate])
      else same.push(candidate)
    }
    return { test, places }
  })
}

/** Reads the files of a private source one after the other, and compares each with the change. */
export async function readSource(source: LeakSource, added: Added): Promise<Findings> {
  const { texts, stream, index, candidates } = added
  const isQuotable = source.quotable.length === 0 ? () => false : buildGlob(source.quotable, { ignoreCase: true })
  const secret = (await source.reader.list()).filter(({ path }) => !isQuotable(path))
  const earlier = ((await source.readEarlier?.()) ?? []).filter(({ path }) => !isQuotable(path))
  const paths = secret.map(({ path }) => path)
  const names = listPathLeaks(texts, source, paths)
  const passages: Passage[] = []
  const open = candidates.map(({ test, places }) => ({ test, places, wanted: new Set(places.keys()) }))
  async function* listFiles(): AsyncGenerator<SourceFile> {
    const compared = secret.filter(({ path }) => source.mayRepeat?.(path) !== false)
    yield* streamFiles(compared, source.reader.read)
    yield* earlier
  }
  for await (const { path, bytes } of listFiles()) {
    const text = toSourceText(bytes)
    if (text === null) continue
    const file = squeezeFile(text)
    const matches = LEGAL.test(path) ? [] : index.findMatches(file)
    if (matches.length > 0) passages.push(...findPassages(stream, text, file, matches))
    for (const { test, places, wanted } of open) {
      if (wanted.size === 0) continue
      for (const value of test.listInternal(path, text, wanted)) {
        if (wanted.delete(value)) names.push(...(places.get(value) ?? []))
      }
    }
    for (const value of listGenerated(text)) {
      const line = stream.lines[stream.findLine(index.find(squeezeText(value)))]
      if (index.find(squeezeText(value)) !== -1 && line !== undefined)
        names.push({ kind: 'credential', value, text: line.text, line: line.line })
    }
  }
  return { source, passages, names }
}
