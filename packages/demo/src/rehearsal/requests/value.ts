import { isSameStem } from '../meaning/stem.ts'
import { toTellingStems } from '../plan/find-page.ts'
import { fixLines } from '../plan/fix-lines.ts'
import { isKept } from '../plan/guarded-paths.ts'
import type { Ending, Plan } from '../plan/plan.ts'
import { runCheck } from '../plan/run-check.ts'
import { searchText } from '../plan/search-text.ts'
import { viewFiles } from '../plan/view-files.ts'
import { plural, quote, toBody, toFailures, toList, toTitle } from '../plan/words.ts'
import type { Reader } from './reader.ts'

/** A number with a unit, such as `2m`. It is too short to be replaced everywhere. */
const VALUE = '["\']?(\\d[\\d.]*(?:[a-z]{1,3}|%))["\']?'
const NOW = new RegExp(
  `^(.+?) (?:is|are|was|were|has been|have been) (?:now )?(?:set to |raised to |lowered to |increased to |reduced to |changed to )?${VALUE},? (?:instead of|rather than|and not|not) ${VALUE}(?![\\w.]*\\w)`,
  'i',
)
const FROM = new RegExp(`^(.+?) from ${VALUE} to ${VALUE}(?![\\w.]*\\w)`, 'i')
const NO_SUBJECT =
  /\b(?:change[ds]?|update[ds]?|raised?|lower(?:ed)?|increased?|reduced?|went|set|was|were|is|has|have|been|we|default|value|setting|new|docs?|documentation|everywhere)\b/gi

/** Changed values with a unit, replaced only in lines that name what has the value. */
export const readValue: Reader = ({ text }) => {
  const now = NOW.exec(text)
  const from = now ? null : FROM.exec(text)
  const [subject, value, old] = now ? now.slice(1) : from ? [from[1], from[3], from[2]] : []
  const wanted = toTellingStems(subject?.replace(NO_SUBJECT, ' ') ?? '')
  if (!value || !old || wanted.length === 0 || wanted.length > 5) return null
  return () => replaceValue({ wanted, value, old })
}

function* replaceValue({ wanted, value, old }: { wanted: string[]; value: string; old: string }): Plan<Ending> {
  const whole = new RegExp(`(?<![\\w.-])${old.replaceAll('.', '\\.')}(?![\\w-])`, 'g')
  const hits = (yield* searchText({ query: old, glob: '**/*.{md,mdx}' })).filter(
    ({ path, text }) => !isKept(path) && text.match(whole) !== null,
  )
  const isMeant = (line: string) => {
    const own = toTellingStems(line)
    return wanted.every((word) => own.some((one) => isSameStem(one, word)))
  }
  const meant = hits.filter(({ text }) => isMeant(text))
  if (meant.length === 0) {
    const rows = toList(hits.map(({ path, line }) => `\`${path}\`, line ${line}`))
    const known =
      hits.length === 0 ? `The documentation does not contain ${quote(old)}.` : `These lines contain it:\n\n${rows}`
    return { outcome: 'needs_input', reason: `Which text should change from ${quote(old)}? ${known}` }
  }
  const files = (yield* viewFiles([...new Set(meant.map(({ path }) => path))])).filter((file) => file !== null)
  const fixes = meant.map(({ path, line }) => {
    const text = files.find((file) => file.path === path)?.lines[line - 1] ?? ''
    return { path, line, newText: text.replace(whole, () => value) }
  })
  const report = yield* fixLines(`Step: replacing ${quote(old)} with ${quote(value)}.`, files, fixes)
  const others = hits.filter((hit) => !meant.includes(hit)).map(({ path, line }) => `\`${path}\`, line ${line}`)
  const left = others.length === 0 ? null : `Other lines with ${quote(old)} were not changed:\n\n${toList(others)}`
  const checked = yield* runCheck()
  return {
    outcome: 'changed',
    title: toTitle(`Change ${wanted.join(' ')} from ${old} to ${value}`),
    body: toBody([
      `Replaced ${quote(old)} with ${quote(value)} in ${plural(fixes.length, 'line')}.`,
      toFailures(report),
      left,
      checked,
    ]),
  }
}
