import { buildGlob } from '@corrigenda/git/text'
import type { WorkspaceEntry } from '@corrigenda/git/workspace'
import { findSecrets } from '../policy/find-secrets.ts'
import { type AddedStream, buildAddedStream } from './added-stream.ts'
import { buildNameFilter } from './build-name-filter.ts'
import { buildPassageIndex, type PassageIndex } from './build-passage-index.ts'
import { copiedCredentials } from './copied-credentials.ts'
import type { NameCandidate, NameTest } from './find-names.ts'
import { findPassages, type Passage } from './find-passages.ts'
import { internalHosts } from './internal-hosts.ts'
import type { FindLeaksInput, Leak, LeakSource } from './leak.ts'
import { type AddedText, listAddedTexts } from './list-added-texts.ts'
import { listDecoded } from './list-decoded.ts'
import { privatePackages } from './private-packages.ts'
import { buildPublicText } from './public-text.ts'
import { listPathLeaks } from './source-paths.ts'
import { squeezeAscii, squeezeText, toSourceText } from './squeeze-text.ts'
import { type SourceFile, streamFiles } from './stream-files.ts'
import { toNameLeaks, toPassageLeaks } from './to-leaks.ts'

const NAME_TESTS: readonly NameTest[] = [internalHosts, privatePackages, copiedCredentials]
/** Legal texts are the same in many repositories. */
const LEGAL = /(?:^|\/)(?:licen[sc]e|copying|notice|third[-_]party[-_](?:notices|licenses))[^/]*$/i

/** What a change has from one private source, before text that is already public is removed. */
interface Findings {
  readonly source: LeakSource
  readonly passages: readonly Passage[]
  readonly names: readonly NameCandidate[]
}

/**
 * Finds what a finished change would publish from private sources: passages, internal host names,
 * private packages, paths, and credentials. Text that the documentation repository had at the base
 * commit, and text of public sources and quotable files, may be published.
 *
 * Keeps only the change in memory, and reads each source once. Reads the documentation repository
 * and public sources only if there are findings.
 * @throws if a file of a source cannot be read, unless its reader refuses it
 */
export async function findLeaks(input: FindLeaksInput): Promise<Leak[]> {
  const texts = listAddedTexts(input)
  const leaks = findCredentials(input, texts)
  const hidden = input.sources.filter(({ visibility }) => visibility === 'private')
  if (hidden.length === 0 || texts.length === 0) return leaks
  const stream = buildAddedStream(texts)
  const index = buildPassageIndex(stream)
  const candidates = NAME_TESTS.flatMap((test) => test.listCandidates(texts).map((candidate) => ({ test, candidate })))
  const findings: Findings[] = []
  for (const source of hidden) findings.push(await readSource(source, texts, stream, index, candidates))
  if (findings.every(({ passages, names }) => passages.length === 0 && names.length === 0)) return leaks
  const names = new Set(findings.flatMap((found) => found.names.map(({ value }) => value)))
  const known = await buildPublicText(input, index, stream.length, names)
  return [
    ...leaks,
    ...findings.flatMap(({ source, passages, names }) => [
      ...toPassageLeaks(stream, source, passages, known),
      ...toNameLeaks(
        source,
        names.filter(({ value }) => !known.names.has(value)),
      ),
    ]),
  ]
}

interface Candidate {
  readonly test: NameTest
  readonly candidate: NameCandidate
}

async function readSource(
  source: LeakSource,
  texts: readonly AddedText[],
  stream: AddedStream,
  index: PassageIndex,
  candidates: readonly Candidate[],
): Promise<Findings> {
  const isQuotable = source.quotable.length === 0 ? () => false : buildGlob(source.quotable, { ignoreCase: true })
  const entries: readonly WorkspaceEntry[] = await source.reader.list()
  const passages: Passage[] = []
  const open = new Set(candidates)
  const listPossible = buildNameFilter(candidates, ({ candidate }) => candidate.value)
  const names: NameCandidate[] = listPathLeaks(
    texts,
    source,
    entries.map(({ path }) => path),
    isQuotable,
  )
  const secret = entries.filter(({ path }) => !isQuotable(path))
  const earlier = ((await source.readEarlier?.()) ?? []).filter(({ path }) => !isQuotable(path))
  let buffer = new Uint16Array(64 * 1024)
  for await (const { path, bytes } of listFiles(secret, source.reader.read, earlier)) {
    if (buffer.length < bytes.length) buffer = new Uint16Array(bytes.length * 2)
    let text: string | null = null
    let squeezed = squeezeAscii(bytes, buffer)
    if (squeezed === null) {
      text = toSourceText(bytes)
      if (text === null) continue
      squeezed = squeezeText(text, buffer)
    }
    const matches = LEGAL.test(path) ? [] : index.findMatches(squeezed)
    if (matches.length > 0) {
      text ??= toSourceText(bytes)
      if (text !== null) for (const passage of findPassages(stream, text, matches)) passages.push(passage)
    }
    const tests = new Map<NameTest, (value: string) => boolean>()
    for (const one of listPossible(squeezed)) {
      if (!open.has(one)) continue
      text ??= toSourceText(bytes)
      if (text === null) continue
      const isConfirmed = tests.get(one.test) ?? one.test.buildTest(path, text)
      tests.set(one.test, isConfirmed)
      if (!isConfirmed(one.candidate.value)) continue
      names.push(one.candidate)
      open.delete(one)
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

/** Finds text that has the form of a credential, also in encoded text. */
function findCredentials(input: FindLeaksInput, texts: readonly AddedText[]): Leak[] {
  const { changes, title, body, commitMessage = '', notes = [] } = input
  const decoded = texts.flatMap(({ name, lines }) => listDecoded(lines).map(({ text }) => ({ name, text })))
  const described = [
    { name: 'The commit message', text: commitMessage },
    ...notes.map((text, index) => ({ name: `Note ${index + 1} of the evidence`, text })),
    ...decoded,
  ]
  const rows = [
    ...findSecrets({ changes, title, body, knownSecrets: [] }).map(({ message }) => message),
    ...described.flatMap(({ name, text }) =>
      findSecrets({ changes: [], title: null, body: text, knownSecrets: [] }).map(({ message }) =>
        message.replace('The description', name),
      ),
    ),
  ]
  return [...new Set(rows)].map((message): Leak => {
    const where = message.slice(0, message.indexOf(' contains'))
    return { where, source: null, kind: 'credential', message: `${message} Remove it. Use a placeholder instead.` }
  })
}
