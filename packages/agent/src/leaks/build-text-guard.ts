import { type AddedText, buildAddedStream, listAddedTexts, toNoteName } from './added-texts.ts'
import { findLeaks } from './find-leaks.ts'
import { listGenerated } from './internal-names.ts'
import type { FindLeaksInput, LeakSource } from './leak.ts'
import { listAllCandidates } from './read-source.ts'
import { squeezeText, toSourceText } from './squeeze.ts'
import { streamFiles } from './stream-files.ts'

/** Stands for a text that must not leave the instance. */
export const WITHHELD = 'Withheld: this text repeats a private source. The transcript of the run has it.'

/** Compares the texts of one run that leave the instance without a change. */
export interface TextGuard {
  /**
   * Returns the texts in their order, with {@link WITHHELD} in place of those that repeat a part of a
   * private source that is too long together with the run's other texts.
   * @param sources the run's sources, with what the run has read of them so far
   * @throws errors from the Git host
   */
  release(texts: readonly string[], sources: readonly LeakSource[]): Promise<string[]>
}

/**
 * Builds the guard of a run. Reads the private sources once, when the first text is compared. Later
 * texts are compared with the files that have a stretch in common with them.
 */
export function buildTextGuard(base: FindLeaksInput['base']): TextGuard {
  const indexes = new Map<string, Promise<SourceIndex>>()
  const released: string[] = []
  /** Files that a withheld text repeats, by source. No further parts of them may leave. */
  const closed = new Map<string, Set<string>>()
  const openIndex = (source: LeakSource): Promise<SourceIndex> => {
    const index = indexes.get(source.name) ?? buildSourceIndex(source)
    indexes.set(source.name, index)
    return index
  }
  /** Leaves out the files that have nothing in common with the texts. */
  const narrow = async (source: LeakSource, texts: readonly string[]): Promise<LeakSource> => {
    const files = (await openIndex(source)).countShared(toAdded(texts))
    return { ...source, mayRepeat: (path) => files.has(path) }
  }
  const listRepeated = async (source: LeakSource, text: string): Promise<string[]> => {
    const files = (await openIndex(source)).countShared(toAdded([text]))
    return [...files].filter(([, count]) => count >= MIN_SHARED).map(([path]) => path)
  }
  return {
    async release(texts, sources) {
      const hidden = sources.filter(({ visibility }) => visibility === 'private')
      if (hidden.length === 0 || texts.every((text) => text.trim() === '')) return [...texts]
      const notes = [...texts, ...released]
      // Any file can show that a name is internal.
      const compared = hasNames(texts)
        ? sources
        : await Promise.all(sources.map((source) => (hidden.includes(source) ? narrow(source, notes) : source)))
      const leaks = await findLeaks({ ...NOTHING, notes, base, sources: compared })
      const places = new Set(leaks.map(({ where }) => where))
      const safe: string[] = []
      for (const [index, text] of texts.entries()) {
        let isWithheld = places.has(toNoteName(index))
        for (const source of hidden) {
          const files = closed.get(source.name) ?? new Set()
          closed.set(source.name, files)
          if (!isWithheld && files.size === 0) continue
          const repeated = await listRepeated(source, text)
          isWithheld ||= repeated.some((path) => files.has(path))
          if (isWithheld) for (const path of repeated) files.add(path)
        }
        if (!isWithheld) released.push(text)
        safe.push(isWithheld ? WITHHELD : text)
      }
      return safe
    },
  }
}

/** Number of shingles that a text and a file share if the text repeats about 30 letters of the file. */
const MIN_SHARED = 3
const NOTHING = { changes: [], title: null, body: '' }

const toAdded = (notes: readonly string[]) => listAddedTexts({ ...NOTHING, notes })

const hasNames = (texts: readonly string[]): boolean =>
  listAllCandidates(toAdded(texts)).some(({ places }) => places.size > 0) ||
  texts.some((text) => !listGenerated(text).next().done)

/** Finds the files of a source that may have text in common with short texts. */
interface SourceIndex {
  /** Returns the number of shingles that each file shares with the texts. Files without one are left out. */
  countShared(texts: readonly AddedText[]): ReadonlyMap<string, number>
}

const SHINGLE = 12
/** One of this many shingles is kept. The choice depends only on their text. */
const SAMPLE = 4
const BASE = 0x01000193
/** Files are numbered below this, so that a hash and a number fit into a double. */
const MAX_FILES = 2 ** 20

/**
 * Reads a source once, so that many short texts can be compared without reading all of it again.
 * Needs about two bytes of memory per byte of the source.
 */
async function buildSourceIndex({ reader }: Pick<LeakSource, 'reader'>): Promise<SourceIndex> {
  const paths: string[] = []
  const parts: Float64Array[] = []
  for await (const { path, bytes } of streamFiles(await reader.list(), reader.read)) {
    const text = toSourceText(bytes)
    if (text === null || paths.length === MAX_FILES) continue
    const keys = Array.from(listShingles(squeezeText(text)), (hash) => hash * MAX_FILES + paths.length)
    parts.push(Float64Array.from(new Set(keys)))
    paths.push(path)
  }
  const sorted = new Float64Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    sorted.set(part, at)
    at += part.length
  }
  sorted.sort()
  return {
    countShared(texts) {
      const found = new Map<string, number>()
      for (const hash of new Set(listShingles(buildAddedStream(texts).codes))) {
        for (let index = findFirst(sorted, hash * MAX_FILES); index < sorted.length; index += 1) {
          const key = sorted[index] ?? 0
          if (key >= (hash + 1) * MAX_FILES) break
          const path = paths[key % MAX_FILES] ?? ''
          found.set(path, (found.get(path) ?? 0) + 1)
        }
      }
      return found
    },
  }
}

function* listShingles(codes: Uint16Array): Generator<number> {
  for (let from = 0; from + SHINGLE <= codes.length; from += 1) {
    let hash = 0
    for (let at = from; at < from + SHINGLE; at += 1) hash = (Math.imul(hash, BASE) + (codes[at] ?? 0)) | 0
    const mixed = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b) >>> 0
    if ((mixed >>> 7) % SAMPLE === 0) yield mixed
  }
}

/** Returns the index of the first element that is not less than a value. */
function findFirst(sorted: Float64Array, value: number): number {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sorted[middle] ?? 0) < value) low = middle + 1
    else high = middle
  }
  return low
}
