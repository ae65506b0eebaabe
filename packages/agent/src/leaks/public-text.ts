import { buildGlob } from '@corrigenda/git/text'
import type { FindLeaksInput } from './leak.ts'
import type { PassageIndex } from './passage-index.ts'
import { squeezeFile, toSourceText } from './squeeze.ts'
import { type SourceFile, streamFiles } from './stream-files.ts'

/** The parts of the added text that are already public. */
export interface PublicText {
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
export async function buildPublicText(
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
