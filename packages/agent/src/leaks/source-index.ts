import { buildAddedStream } from './added-stream.ts'
import type { AddedText } from './added-texts.ts'
import type { LeakSource } from './leak.ts'
import { squeezeText, toSourceText } from './squeeze.ts'
import { streamFiles } from './stream-files.ts'

/** Finds the files of a source that may have text in common with short texts. */
export interface SourceIndex {
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
export async function buildSourceIndex({ reader }: Pick<LeakSource, 'reader'>): Promise<SourceIndex> {
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
