import { findSecrets } from '../policy/find-secrets.ts'
import { buildAddedStream } from './added-stream.ts'
import { buildPacer, type Pacer } from './build-pacer.ts'
import { buildPassageIndex } from './build-passage-index.ts'
import type { FindLeaksInput, Leak } from './leak.ts'
import { type AddedText, listAddedTexts } from './list-added-texts.ts'
import { buildPublicText } from './public-text.ts'
import { type Findings, listCandidates, readSource } from './read-source.ts'
import { toNameLeaks, toPassageLeaks } from './to-leaks.ts'

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
  const pace = buildPacer()
  const texts = await listAddedTexts(input, pace)
  const leaks = await findCredentials(input, texts, pace)
  const hidden = input.sources.filter(({ visibility }) => visibility === 'private')
  if (hidden.length === 0 || texts.length === 0) return leaks
  const stream = await buildAddedStream(texts, pace)
  const index = await buildPassageIndex(stream, pace)
  const candidates = await listCandidates(texts, pace)
  const findings: Findings[] = []
  for (const source of hidden) findings.push(await readSource({ source, texts, stream, index, candidates }, pace))
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

/** Finds text that has the form of a credential, also in encoded text. */
async function findCredentials(input: FindLeaksInput, texts: readonly AddedText[], pace: Pacer): Promise<Leak[]> {
  const { changes, title, body, notes = [] } = input
  const decoded: { name: string; path: string | null; text: string }[] = []
  for (const { name, path, views } of texts) {
    for (const view of views) {
      if (view[0]?.isEncoded === true) decoded.push({ name, path, text: view.map(({ text }) => text).join('\n') })
      await pace()
    }
  }
  const described = [
    ...notes.map((text, index) => ({ name: `Note ${index + 1} of the evidence`, path: null, text })),
    ...decoded,
  ]
  const rows = new Map(
    findSecrets({ changes, title, body, knownSecrets: [] }).map(({ message, path }) => [message, path]),
  )
  for (const { name, path, text } of described) {
    const found = findSecrets({ changes: [], title: null, body: text, knownSecrets: [] })
    for (const { message } of found) rows.set(message.replace('The description', name), path)
    await pace()
  }
  return Array.from(rows, ([message, path]): Leak => {
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
