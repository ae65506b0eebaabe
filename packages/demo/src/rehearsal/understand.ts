import { addPage, describeSite, movePage } from './change-pages.ts'
import { documentFlag, followCode } from './document-flags.ts'
import { fixLinks, fixTypos } from './fix-mistakes.ts'
import type { Ending, NeedsInput, Plan } from './plan.ts'
import { replaceOnPages } from './replace-text.ts'

/** One thing that a prompt asks for. */
export type Task = (sources: readonly string[]) => Plan<Ending>

/** Returns the task of a normalized text, or null if the text asks for something else. */
type Reader = (text: string) => Task | null

/**
 * Recognizes what a prompt asks for by patterns. Returns several tasks if each part of the prompt is
 * recognized, such as "Fix the typos and the broken links", and none for an unknown request.
 */
export function understand(prompt: string): Task[] {
  const text = normalize(prompt)
  const parts = text.split(/[,;.!?]? (?:and|then|also) (?:then |also )?|[;.!?] /).filter(Boolean)
  const known = parts.map(readOne)
  const tasks = known.map((task, index) => task ?? readOther(parts[index] ?? ''))
  if (known.some(Boolean) && tasks.length > 1 && tasks.every((task) => task !== null)) return tasks
  const task = readOne(text)
  return task ? [task] : []
}

/** The first pattern that recognizes a text decides, so the more specific ones come first. */
function readOne(text: string): Task | null {
  if (QUESTION.test(text)) return null
  for (const read of READERS) {
    const task = read(text)
    if (task) return task
  }
  return null
}

/** A part that asks for something else. It is named in the description of the change. */
const readOther: Reader = (part) => {
  if (!/^(?:add|create|delete|explain|merge|remove|rewrite|shorten|summari[sz]e|translate|write)\b/i.test(part))
    return null
  // biome-ignore lint/correctness/useYield: the plan has no turns
  return function* () {
    return { outcome: 'no_change', reason: `Not done, because the script does not contain it: "${part}".` }
  }
}

const QUESTION = /^(?:which|where|why|who|when|how|is|are|does|do|did|has|have)\b[^.!]*\?$/i

/** Makes all quotes straight double quotes, and removes bold type, politeness and line breaks. */
function normalize(prompt: string): string {
  return prompt
    .replace(/[“”„‟«»`＂]/g, '"')
    .replace(/[‘’‚‛]/g, "'")
    .replace(/(?<!\w)'([^'\n]+)'(?!\w)/g, '"$1"')
    .replace(/\*\*([^*\n]+)\*\*/g, '$1')
    .replace(/"(?="")|""/g, '')
    .replace(/[,\s]*\b(?:please|pls|thanks?(?: you)?|thx|cheers)\b,?/gi, ' ')
    .replace(/\bteh\b/g, 'the')
    .replace(/\s+/g, ' ')
    .replace(/^ | ?[.!]* ?$/g, '')
}

const NAME = '(?:the )?(?:word |term |name |flag |command )?("[^"]+"(?: command| flag)?|[^".:;]+?)'
/** The end of a sentence with two names, and the pages that it concerns. */
const WHERE = '(?: everywhere)?(?: (?:in|on|across|throughout) (.+?))?(?: everywhere)?(?=[.!?,](?: |$)|$)'
const RENAMES: readonly { readonly pattern: RegExp; readonly isSwapped?: true }[] = [
  { pattern: new RegExp(`\\b(?:replace|swap|substitute) ${NAME} (?:with|by|for) ${NAME}${WHERE}`, 'i') },
  { pattern: new RegExp(`\\b(?:renamed?|changed?) ${NAME} (?:to|into) ${NAME}${WHERE}`, 'i') },
  { pattern: new RegExp(`\\buse ${NAME} instead of ${NAME}${WHERE}`, 'i'), isSwapped: true },
  { pattern: new RegExp(`^${NAME} (?:is|was) (?:now )?(?:called|named|renamed to) ${NAME}(?: now)?${WHERE}`, 'i') },
  { pattern: new RegExp(`(?:^|: ?)${NAME} ?(?:->|=>|→) ?${NAME}${WHERE}`, 'i') },
]

const readReplacement: Reader = (text) => {
  for (const { pattern, isSwapped } of RENAMES) {
    const [, first, second, phrase = null] = pattern.exec(text) ?? []
    const [from, to] = isSwapped ? [second, first] : [first, second]
    if (!from || !to || !isName(from) || !isName(to)) continue
    const isCommand = /\bcommand\b/i.test(text)
    return () => replaceOnPages({ from: toBare(from), to: toBare(to), isCommand }, phrase)
  }
  return null
}

/** A longer phrase without quotes describes something, and so does one about a property. */
const isName = (name: string): boolean =>
  name.startsWith('"') || (toBare(name).split(' ').length <= 4 && !/ of /i.test(name))

/** Removes the quotes, the article and the kind of thing around a name. */
const toBare = (name: string): string =>
  /"([^"]+)"/.exec(name)?.[1]?.trim() ??
  name.replace(/^(?:(?:the|our|every|a|an|term|word|name) )+| (?:command|flag|option|term|word|product)$/gi, '')

const MOVE =
  /\b(move|rename) (?:the |our )?(?:page )?(.+?) (?:to|into|as) (?:the )?("[^"]+"|[^",;]+?)( folder)?(?=$|, | and )/i

const readMove: Reader = (text) => {
  const [, verb = '', page = '', target = '', folder] = MOVE.exec(text) ?? []
  const isPage = verb.toLowerCase() === 'move' || /\b(?:page|guide|tutorial|file)\b|\/|\.mdx?\b/i.test(page)
  if (!isPage || target === '' || / of /.test(page) || /\b(?:group|section|tab)$/i.test(target)) return null
  return () => movePage(page.replaceAll('"', ''), `${toBare(target)}${folder ? '/' : ''}`)
}

const NEW_PAGE =
  /\b(?:add|write|create|make|need|want) (?:us )?(?:an? )?(?:new |short )*(?:page|guide|tutorial) (?:about|on|for|covering|explaining|describing) (.+?)(?=[.,;:!?]|$)/i

const readNewPage: Reader = (text) => {
  const topic = NEW_PAGE.exec(text)?.[1]
  return topic ? () => addPage(toBare(topic)) : null
}

const readFlag: Reader = (text) => {
  if (!/\b(?:document|describe|explain|add|mention)\b/i.test(text)) return null
  if (/\b(?:change-?log|release notes?|section|examples?|note|warning|sentence)\b/i.test(text)) return null
  const dashed = /--([a-z][a-z0-9-]*)/i.exec(text)
  const flag = (dashed ?? /"?\b([a-z][a-z0-9-]*)"? (?:flag|option)\b/i.exec(text))?.[1]?.toLowerCase()
  if (!flag) return null
  const rest = text.slice(text.toLowerCase().indexOf(flag) + flag.length)
  const command =
    /\b(?:of|for|in|to) (?:the )?(?:command )?"?(?:[a-z][\w-]* )??([a-z][\w-]*)"?(?: command)?(?=[.,;]|$)/i.exec(
      rest,
    )?.[1]
  const isNamed =
    command !== undefined && !/^(?:docs?|documentation|code|pages?|command|reference|site)$/i.test(command)
  return (sources) => documentFlag(flag, isNamed ? command.toLowerCase() : null, sources)
}

const readTypos: Reader = (text) => {
  if (!/\b(?:typos?|mis-?spell\w*|spelling(?! of)|spell-?check|proof-?read\w*|doubled? words?)\b/i.test(text))
    return null
  const place = /\b(?:in|on|from|across|throughout|within|proof-?read|spell-?check) (.+?)(?=[.!?;:,(]|$)/i.exec(
    text,
  )?.[1]
  return () => fixTypos(place && !/\btypos?\b|\bspelling\b/i.test(place) ? place : null)
}

const readLinks: Reader = (text) =>
  (/\blinks?\b/i.test(text) && /\b(?:broken|dead|fix|repair|wrong|stale|correct|check)\b|n't work\b/i.test(text)) ||
  /\b404s?\b/.test(text)
    ? fixLinks
    : null

const readRecent: Reader = (text) =>
  /\b(?:recent|latest|last|new|newest)\b.{0,20}\b(?:push(?:es)?|commits?|changes?|merges?|code)\b|\bwhat(?:ever)? (?:has )?changed\b|\bout of date\b|\boutdated\b|\bup[ -]to[ -]date\b|\bin sync\b|\b(?:against|with) the code\b/i.test(
    text,
  )
    ? followCode
    : null

const readSubject: Reader = (text) =>
  /^what (?:does|do|is|are)\b.*\b(?:repo|repository|docs|documentation|project|site)\b/i.test(text)
    ? describeSite
    : null

const READERS: readonly Reader[] = [
  readSubject,
  readMove,
  readReplacement,
  readNewPage,
  readFlag,
  readTypos,
  readLinks,
  readRecent,
]

const VAGUE = /\b(?:better|improv\w+|polish|clean ?up|tidy|review|enhance|nicer|perfect)\b/i
/** Words that do not state what is wrong. */
const EMPTY =
  /\b(?:fix|update|check|correct|change|help|do|make|have|look|at|can|could|you|would|like|i|we|me|it|this|that|something|anything|everything|some|any|all|the|an?|our|my|to|of|in|on|and|for|with|is|are|up|more|much|good|great|hi|hello|hey|docs?|documentation|pages?|sites?|repo|repository|text|content|things?|stuff|problems?|issues?|mistakes?|errors?|wrong|bad)\b/gi

/** Returns the question about a prompt that does not state what to change; null for other prompts. */
export function askWhatToImprove(prompt: string): NeedsInput | null {
  const text = normalize(prompt)
  if (!VAGUE.test(text) && /[\p{L}\p{N}]/u.test(text.replace(EMPTY, ''))) return null
  const page = /\b(?:the|our) [\w/-]+(?: [\w/-]+)? (?:page|guide|tutorial)\b/i.exec(text)?.[0]
  const choices = [
    `Fix the typos${page ? ` in ${page}` : ''}`,
    'Fix the broken links',
    'Update the documentation for our recent pushes',
  ]
  return { outcome: 'needs_input', reason: 'What should be better?', choices }
}

const NUMBERS = ['1st|first|one', '2nd|second|two', '3rd|third|three', '4th|fourth|four', '5th|fifth|five']

/**
 * Returns the prompts to try, in order, for an answer that is not a request of its own. An answer
 * that selects no choice means the first one.
 */
export function chooseByAnswer(answer: string, choices: readonly string[]): string[] {
  const text = normalize(answer)
  const number = NUMBERS.findLastIndex((words, index) => new RegExp(`\\b(?:${index + 1}|${words})\\b`, 'i').test(text))
  const chosen = (/\blast\b/i.test(text) ? choices.at(-1) : choices[number]) ?? choices[0]
  if (chosen === undefined) return []
  const place = /\b(?:in|on) (?:the |our )?[^.,;!?]+/i.exec(text)?.[0]
  const here = place && !/ (?:in|on) /.test(chosen) ? [`${chosen} ${place}`] : []
  return [...new Set([...here, chosen, ...choices])]
}
