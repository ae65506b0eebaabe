import { findSecrets } from '../policy/find-secrets.ts'
import { buildAddedStream } from './added-stream.ts'
import { listAddedTexts, toNoteName } from './added-texts.ts'
import type { FindLeaksInput, Leak } from './leak.ts'
import { buildPassageIndex } from './passage-index.ts'
import { buildPublicText } from './public-text.ts'
import { type Findings, listAllCandidates, readSource } from './read-source.ts'
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
