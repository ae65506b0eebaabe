import { buildGlob } from '@corrigenda/git/text'
import { findSecrets } from '../policy/find-secrets.ts'
import { type AddedStream, type AddedText, buildAddedStream, listAddedTexts, toNoteName } from './added-texts.ts'
import { MIN_JOINED_CHARS, MIN_LINES, type Part, type Passage } from './find-passages.ts'
import type { NameCandidate } from './internal-names.ts'
import type { FindLeaksInput, Leak, LeakSource } from './leak.ts'
import { buildPassageIndex, type PassageIndex } from './passage-index.ts'
import { type Findings, listAllCandidates, readSource } from './read-source.ts'
import { squeezeFile, toSourceText } from './squeeze.ts'
import { type SourceFile, streamFiles } from './stream-files.ts'

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
  const leaks = findCredentials(input)
  const hidden = input.sources.filter(({ visibility }) => visibility === 'private')
  const texts = hidden.length === 0 ? [] : listAddedTexts(input)
  if (texts.length === 0) return leaks
  const stream = buildAddedStream(texts)
  const index = buildPassageIndex(stream)
  const added = { texts, stream, index, candidates: listAllCandidates(texts) }
  const findings: Findings[] = []
  for (const source of hidden) findings.push(await readSource(source, added))
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

/** Finds text that has the form of a credential. */
function findCredentials({ changes, title, body, notes = [] }: FindLeaksInput): Leak[] {
  const added = changes.filter(({ kind }) => kind === 'added').map(({ path }) => path)
  const named = [
    ...notes.map((text, index) => [toNoteName(index), text]),
    ['The name of a new file', added.join('\n')],
  ] as const
  const found = [
    ...findSecrets({ changes, title, body, knownSecrets: [] }),
    ...named.flatMap(([name = '', text = '']) =>
      findSecrets({ changes: [], title: null, body: text, knownSecrets: [] }).map((row) => ({
        ...row,
        message: row.message.replace('The description', name),
      })),
    ),
  ]
  return Array.from(new Map(found.map((row) => [row.message, row])).values(), ({ message, path }): Leak => {
    const where = message.slice(0, message.indexOf(' contains'))
    return {
      where,
      path,
      source: null,
      kind: 'credential',
      message: `${message} Remove it. Use a placeholder instead.`,
    }
  })
}

/** The parts of the added text that are already public. */
interface PublicText {
  /** Returns the share of a stretch of the added stream that is public, from 0 to 1. */
  toShare(from: number, to: number): number
  /** Names that occur in public text. */
  readonly names: ReadonlySet<string>
}

/**
 * Reads the documentation repository at the base commit, the public sources, and the quotable files
 * of private sources.
 * @param length length of the added stream
 */
async function buildPublicText(
  input: FindLeaksInput,
  index: PassageIndex,
  length: number,
  wanted: ReadonlySet<string>,
): Promise<PublicText> {
  const isPublic = new Uint8Array(length)
  const names = new Set<string>()
  for await (const { bytes } of streamPublic(input)) {
    const text = toSourceText(bytes)
    if (text === null) continue
    index.mark(squeezeFile(text), isPublic)
    const lower = text.toLowerCase()
    for (const name of wanted) if (!names.has(name) && lower.includes(name.toLowerCase())) names.add(name)
  }
  return {
    names,
    toShare(from, to) {
      let count = 0
      for (let at = from; at < to; at += 1) count += isPublic[at] ?? 0
      return to > from ? count / (to - from) : 0
    },
  }
}

async function* streamPublic({ base, sources }: FindLeaksInput): AsyncGenerator<SourceFile> {
  yield* streamFiles(await base.listBase(), base.readBase)
  for (const { visibility, quotable, reader } of sources) {
    if (visibility === 'private' && quotable.length === 0) continue
    const entries = await reader.list()
    const isQuotable = visibility === 'public' ? () => true : buildGlob(quotable, { ignoreCase: true })
    yield* streamFiles(
      entries.filter(({ path }) => isQuotable(path)),
      reader.read,
    )
  }
}

/** Share of a line that must be public for the whole line to be public. */
const PUBLIC_SHARE = 0.8

/** Returns a finding for each text that contains passages which are not public. */
function toPassageLeaks(
  stream: AddedStream,
  { name }: LeakSource,
  passages: readonly Passage[],
  known: PublicText,
): Leak[] {
  const isHidden = ({ from, to }: Part) => known.toShare(from, to) < PUBLIC_SHARE
  const parts = passages.flatMap(({ lines, joined }) => {
    const hiddenLines = lines.filter(isHidden)
    const hiddenText = joined.filter(isHidden)
    const chars = hiddenText.reduce((sum, part) => sum + part.chars, 0)
    return [...(hiddenLines.length >= MIN_LINES ? hiddenLines : []), ...(chars >= MIN_JOINED_CHARS ? hiddenText : [])]
  })
  const places = new Map<AddedText, { from: number; to: number }>()
  for (const { from, to } of parts) {
    if (from === to) continue
    for (let index = stream.findLine(from); (stream.lines[index]?.start ?? to) < to; index += 1) {
      const line = stream.lines[index]
      if (line === undefined) continue
      const place = places.get(line.text) ?? { from: line.line, to: line.line }
      places.set(line.text, { from: Math.min(place.from, line.line), to: Math.max(place.to, line.line) })
    }
  }
  return Array.from(places, ([text, { from, to }]): Leak => {
    const where = toPlace(text, from, to)
    const verb = where.startsWith('Lines') ? 'repeat' : 'repeats'
    return {
      where,
      path: text.path,
      source: name,
      kind: 'passage',
      message: `${where} ${verb} text of the private source ${JSON.stringify(name)}. Describe the behavior in your own words instead. Names, flags, values, option tables and signatures of at most five lines may stay.`,
    }
  })
}

const REMEDIES: Readonly<Record<NameCandidate['kind'], readonly [what: string, remedy: string]>> = {
  host: ['an internal host name', 'Remove it, or use a host name under example.com.'],
  package: ['the name of a package that is not published', 'Remove it, or name the published package.'],
  path: ['a path of a file or a link', 'Remove it. The reader cannot open the file.'],
  credential: ['a value that looks like a credential', 'Remove it. Use a placeholder instead.'],
}

/** Returns a finding for each place of an internal name. */
function toNameLeaks({ name }: LeakSource, candidates: readonly NameCandidate[]): Leak[] {
  const leaks = candidates.map(({ kind, text, line }): Leak => {
    const where = toPlace(text, line, line)
    const [what, remedy] = REMEDIES[kind]
    const message = `${where} contains ${what} of the private source ${JSON.stringify(name)}. ${remedy}`
    return { where, path: text.path, source: name, kind, message }
  })
  return [...new Map(leaks.map((leak) => [leak.message, leak])).values()]
}

function toPlace({ path, name }: AddedText, from: number, to: number): string {
  if (path === null) return name
  return from === to ? `Line ${from} of ${name}` : `Lines ${from} to ${to} of ${name}`
}
