import { cleanPhrase, type Request } from '../meaning/request.ts'
import { findPhrase } from '../plan/find-phrase.ts'
import { findScope } from '../plan/find-scope.ts'
import type { Ending, Plan } from '../plan/plan.ts'
import { quote } from '../plan/words.ts'
import { reportSpellings } from '../rules/rename-everywhere.ts'
import { replaceAll } from '../rules/replace-text.ts'
import type { Reader } from './reader.ts'

interface Replacement {
  from: string
  to: string
  scope: string | null
  /** The caller says that X is a command. */
  isCommand: boolean
  /** The sentence clearly asks for a replacement, so a missing X means that there is nothing to do. */
  isCertain: boolean
}

const T = `(?:(?:(?:the|our|a|an) )?(?:[a-z]+ )?"([^"\\n]+)"(?: [a-z]+)??|'([^'\\n]+)'|(\\S(?:[^"\\n]*?\\S)?))`
const TAIL = `(?<scope>(?:,? (?:but )?(?:only )?(?:everywhere|in|on|across|throughout|within|inside|all over|for all|wherever)\\b[^.;\\n]*)?)(?:,? (?:and|please|because|since|as (?:it|we|they))\\b[^\\n]*)?\\s*(?:[.;!?](?:\\s[\\s\\S]*)?|\\n[\\s\\S]*)?$`
const OCCURRENCES = `(?:(?:all|every|each|any) )?(?:(?:the )?(?:occurrences?|instances?|mentions?|uses?|usages?|references?|appearances?) (?:of|to) )?`

const build = (source: string): RegExp => new RegExp(source.replaceAll(' ', '\\s+'), 'i')

const FORMS: readonly { pattern: RegExp; reversed?: boolean; certain: boolean }[] = [
  {
    pattern: build(
      `\\b(?:now|to) ()()(\\d[\\d.,]*(?: [a-z]+)*?) (?:instead of|rather than|not) ()()(\\d[\\d.,]*)${TAIL}`,
    ),
    reversed: true,
    certain: true,
  },
  {
    pattern: build(`\\b(?:use|say|write|prefer|put) ${T} (?:instead of|in place of|rather than|over) ${T}${TAIL}`),
    reversed: true,
    certain: true,
  },
  { pattern: build(`\\bsubstitute ${T} for ${T}${TAIL}`), reversed: true, certain: true },
  {
    pattern: build(
      `\\b(?:renamed?|replaced?|substituted?|swap(?:ped)?(?: out)?|exchanged?|rebrand(?:ed)?|relabel(?:ed)?|find)\\b ${OCCURRENCES}${T} (?:with|by|to|into|as|for|->|=>|→|and replace (?:it|them) (?:with|by)) ${T}${TAIL}`,
    ),
    certain: true,
  },
  {
    pattern: build(
      `\\b(?:changed?|updated?|bump(?:ed)?|switch(?:ed)?|upgraded?|correct|set|turn|convert|migrate|edit|move|alter|adjust(?:ed)?|raised?|increased?|lower(?:ed)?|reduced?|decreased?|went)\\b (?:[^"\\n]*? )?from ${T} (?:to|into|->|→) ${T}${TAIL}`,
    ),
    certain: false,
  },
  {
    pattern: build(
      `\\b(?:change|update|bump|switch|upgrade|correct|turn|convert|fix|alter)\\b ${OCCURRENCES}${T} (?:to|into|->|=>|→) ${T}${TAIL}`,
    ),
    certain: false,
  },
  {
    pattern: build(
      `${T} (?:is|are|was|were|has been|have been|got|will be|should be|must be|is now|are now)(?: now)? (?:renamed|rebranded|replaced|superseded|called|named|known|changed|moved)(?: (?:to|as|by|with|into))? ${T}${TAIL}`,
    ),
    certain: true,
  },
  { pattern: build(`"([^"\\n]+)"()() (?:should (?:be|say|read)|becomes?) ${T}${TAIL}`), certain: true },
  { pattern: build(`(?:^|[:\\s])"?([^\\s"]+(?: [^\\s"]+){0,2}?)"?()() ?(?:->|=>|→) ?${T}${TAIL}`), certain: true },
]

/** Words that name no text of a page. */
const GENERIC =
  /^(?:docs?|documentation|pages?|sites?|guides?|it|them|this|that|everything|all|text|content|examples?|version|readme|changelog|wording|tone|style|order|title|heading|description|name|link|links|section|paragraph|code|repo|repository|navigation|sidebar|menu|structure|layout|language|year|date)$/i

/** Renames and replacements, with or without quotes. */
export const readReplacement: Reader = (request) => {
  const found = parseReplacement(request)
  return found ? () => replace(found) : null
}

export function parseReplacement({ text }: Pick<Request, 'text'>): Replacement | null {
  const line = text.replace(/"""[\s\S]*?"""/g, '')
  for (const { pattern, reversed = false, certain } of FORMS) {
    const match = pattern.exec(line)
    if (!match) continue
    const [, a1, a2, a3, b1, b2, b3] = match
    const terms = [a1 || a2 || a3, b1 || b2 || b3].map((term) => term?.trim() ?? '')
    const [first = '', second = ''] = reversed ? terms.reverse() : terms
    const isCommand = /\bcommands?\b/i.test(first) || /\bcommand\b/i.test(line.slice(0, match.index + match[0].length))
    const isQuoted = a1 !== undefined || a2 !== undefined
    const [from, to] = addUnit(isQuoted && !reversed ? first : trimTerm(first), trimTerm(second))
    if (from === '' || to === '' || GENERIC.test(from) || from.split(/\s+/).length > 6 || to.split(/\s+/).length > 8)
      continue
    return { from, to, scope: cleanScope(match.groups?.scope), isCommand, isCertain: certain || isQuoted }
  }
  return null
}

/** Gives a bare number the unit of the other one, so that only this number is replaced. */
function addUnit(from: string, to: string): [from: string, to: string] {
  const [, count, unit] = /^(\d[\d.,]*) (\p{L}+)(?: .*)?$/u.exec(to) ?? []
  return /^\d[\d.,]*$/.test(from) && count && unit ? [`${from} ${unit}`, `${count} ${unit}`] : [from, to]
}

const NOUN =
  '(?:command|term|word|words|phrase|text|string|product(?: name)?|name|flag|option|variable|project|company|tool|port|version|package|service)'

/** Removes articles and nouns such as `the command` around a term. */
function trimTerm(term: string): string {
  const inner = /^(?:[^"']*\s)?["']([^"']+)["'](?:\s+\w+)?$/.exec(term)?.[1]
  if (inner) return inner
  return cleanPhrase(term)
    .replace(/^(?:everywhere|all|every|each) /i, '')
    .replace(new RegExp(`^(?:old |new )?${NOUN}s? (?=\\S)`, 'i'), '')
    .replace(/(?<=\S) (?:command|term|word|flag|option|everywhere)s?$/i, '')
    .replace(/^["']|["']$/g, '')
    .trim()
}

const cleanScope = (scope: string | undefined): string | null =>
  scope
    ?.replace(
      /^[\s,]*(?:but )?(?:only )?(?:everywhere|in|on|across|throughout|within|inside|all over|for all|wherever)\b/i,
      '',
    )
    .replace(/^\s*(?:in|on|across)\s/i, '')
    .trim() || null

function* replace({ from, to, scope, isCommand, isCertain }: Replacement): Plan<Ending> {
  const where = yield* findScope(/^(?:it|they|we) (?:appears?|occurs?|is|are|use)\b/i.test(scope ?? '') ? null : scope)
  if ('question' in where) return { outcome: 'needs_input', reason: where.question }
  const phrase = yield* findPhrase(from, to, { glob: where.glob, isCommand })
  if (phrase === null) {
    if (isCertain || where.glob !== null)
      return {
        outcome: 'no_change',
        reason: `A search for ${quote(from)}${where.label} found no matches. There is nothing to replace.`,
      }
    return {
      outcome: 'needs_input',
      reason: `Which text should change? The documentation does not contain ${quote(from)}. Give the old and the new text in quotes.`,
    }
  }
  const title = `Rename ${quote(phrase.from)} to ${quote(phrase.to)}`
  return yield* replaceAll(phrase.from, phrase.to, where.glob ?? undefined, title, () =>
    reportSpellings(phrase.from, phrase.to),
  )
}
