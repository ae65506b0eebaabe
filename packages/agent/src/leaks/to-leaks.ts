import type { AddedStream } from './added-stream.ts'
import type { AddedText } from './added-texts.ts'
import { MIN_JOINED_CHARS, MIN_LINES, type Part, type Passage } from './find-passages.ts'
import type { Leak, LeakSource } from './leak.ts'
import type { NameCandidate } from './name-test.ts'
import type { PublicText } from './public-text.ts'

/** Share of a line that must be public for the whole line to be public. */
const PUBLIC_SHARE = 0.8

/** Returns a finding for each text that contains passages which are not public. */
export function toPassageLeaks(
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
export function toNameLeaks({ name }: LeakSource, candidates: readonly NameCandidate[]): Leak[] {
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
