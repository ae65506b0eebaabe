import { cleanPhrase, findContent, hasWord, type Request } from '../meaning/request.ts'
import { collectSections } from '../plan/collect-sections.ts'
import { toDescription } from '../plan/create-page.ts'
import { toText } from '../plan/edit-files.ts'
import { findPage } from '../plan/find-page.ts'
import { listPages } from '../plan/list-pages.ts'
import { toSlug } from '../plan/page-path.ts'
import type { Ending, Plan } from '../plan/plan.ts'
import { viewFile, viewFiles } from '../plan/view-files.ts'
import { appendToPage } from '../rules/append-text.ts'
import type { Reader } from './reader.ts'

const ADD = 'add append insert include put write mention note state attach place document say warn'
const PART =
  'section note tip warning info callout paragraph sentence line example step remark hint caution admonition heading subsection'

/** Links from one page to another. */
export const readCrossLink: Reader = ({ text }) => {
  const link =
    /\b(?:add|insert|include|put|create) (?:a |an |the )?(?:hyper)?(?:links?|references?|cross-?references?|see[- ]also)(?: link)? (?:to|for) (.+?) (?:on|in|from|to|at the (?:end|bottom) of|into) (.+?)[.!?]?$/i.exec(
      text,
    ) ?? /^link (?:to )?(.+?) (?:from|on|in) (.+?)[.!?]?$/i.exec(text)
  const reversed = /^link (?:from )?(.+?) to (.+?)[.!?]?$/i.exec(text)
  const [, target, place] = link ?? (reversed ? [reversed[0], reversed[2], reversed[1]] : [])
  if (!target || !place) return null
  return function* () {
    const to = yield* findPage(cleanPhrase(target))
    if ('question' in to) return { outcome: 'needs_input', reason: to.question }
    const from = yield* findPage(cleanPhrase(place))
    if ('question' in from) return { outcome: 'needs_input', reason: from.question }
    const file = yield* viewFile(from.page.path)
    const address = `/${toSlug(to.page.path)}`
    if (file?.lines.some((line) => line.includes(`](${address})`)))
      return { outcome: 'no_change', reason: `\`${from.page.path}\` links to ${address} already.` }
    return yield* appendToPage(from.page.path, `See also [${to.page.title}](${address}).`)
  }
}

/** New sections, notes and sentences on a page. */
export const readAddition: Reader = (request) => {
  const { text } = request
  if (!hasWord(request, ADD) && !EXPLAIN_ON_PAGE.test(text)) return null
  const isPart = hasWord(request, PART)
  const head = (text.replace(/"""[\s\S]*?"""/g, '').split(/:\s|:\n/)[0] ?? text).replace(
    /\s+(?:that|which) (?:says?|reads?|explains?).*$|\s+saying .*$/i,
    '',
  )
  const told =
    /\b(?:mention|note|state|say|explain|add|warn|clarify|document|include|write)(?: (?:people|users|readers|there|an? (?:sentence|note|line|warning|tip|hint|caution|info)|the (?:sentence|note)))?(?: (?:on|in|to) (?:the )?[\w/ -]+?)?,? that (.+)$/i.exec(
      text,
    )?.[1]
  if (!told && /\b(?:screenshots?|diagrams?|images?|pictures?|videos?|logo|alt text)\b/i.test(head)) return null
  if (!isPart && !told && !TO_PAGE.test(head) && !EXPLAIN_ON_PAGE.test(text)) return null
  const place = findPlace(told ? text : head)
  const content = findContent(request) ?? (told ? cutPlace(told) : null) ?? findQuoted(head, place)
  return () => add({ request, place, content, isSection: /\b(?:sub)?section\b|\bheading\b/i.test(head), head })
}

/** An explanation on a page that the request names. */
const EXPLAIN_ON_PAGE =
  /^(?:explain|describe|clarify)\b.* (?:in|on) (?:the |our )?[\w/ .-]*?(?:page|guide|article|tutorial)\b/i

/** An addition of something to a page, in contrast to a new page. */
export const TO_PAGE =
  /\b(?:add|insert|include|put|append|attach)\b.+ (?:to|on|in|into|at the (?:end|bottom|top) of) (?:the |our )?[\w/ .-]*?(?:page|guide|quick-?start|introduction|overview|installation|tutorial|article)[.!]?$/i

const PLACE =
  /\b(?:on|in|to|into|at the (?:end|bottom|top) of|under|of|for) (?:the |our )?((?:[\w/.-]+ ){0,4}?(?:page|guide|article|tutorial)|[\w-]+\/[\w/.-]+|quick-?start|introduction|installation|readme|(?:start|home) ?page)\b/gi

function findPlace(text: string): string | null {
  const places = [...text.matchAll(PLACE)].map(([, place = '']) => place)
  return (
    places.at(-1) ??
    /\b(?:on|in|to|into|at the (?:end|bottom|top) of) (?:the )?["']?([\w /-]+?)["']?[.!?]?$/i.exec(text)?.[1] ??
    null
  )
}

const cutPlace = (text: string): string | null =>
  text
    .replace(
      /,? (?:on|in|to|at the (?:end|bottom|top) of) (?:the |our )?(?:[\w/.-]+ ){0,4}?(?:page|guide|article|docs|documentation|introduction|quickstart|installation|readme)[.!]?$/i,
      '',
    )
    .trim() || null

function findQuoted(head: string, place: string | null): string | null {
  const quoted = /"([^"\n]+ [^"\n]+)"/.exec(head)?.[1]
  return quoted && quoted !== place && !/\b(?:section|heading) (?:called|titled|named)? ?"/i.test(head) ? quoted : null
}

interface Addition {
  request: Request
  place: string | null
  content: string | null
  isSection: boolean
  head: string
}

function* add({ place, content, isSection, head }: Addition): Plan<Ending> {
  if (place === null)
    return {
      outcome: 'needs_input',
      reason: 'Which page should this be added to? Name the page, and the text after a colon.',
    }
  const found = yield* findPage(cleanPhrase(place))
  if ('question' in found) return { outcome: 'needs_input', reason: found.question }
  const { path } = found.page
  const topic = findTopic(head)
  const heading = isSection ? topic : null
  const isCollected = content === null && isSection && topic !== null
  const body = isCollected ? yield* collectLinks(topic, path) : content === null ? null : toProse(content, head)
  if (body === null) {
    const known = isCollected ? ` The documentation contains no facts about ${topic}.` : ''
    return {
      outcome: 'needs_input',
      reason: `What should the new text on \`${path}\` say?${known} Send it after a colon.`,
    }
  }
  const title = heading ? heading.charAt(0).toUpperCase() + heading.slice(1) : null
  const file = yield* viewFile(path)
  const text = title === null || content?.startsWith('#') ? body : `## ${title}\n\n${body}`
  if (file && toText(file).includes(text)) {
    return { outcome: 'no_change', reason: `\`${path}\` contains this text already.` }
  }
  return yield* appendToPage(path, text, isCollected ? 'that link to other pages' : undefined)
}

/** Returns what a section is about: its name, or the words before or after the noun. */
function findTopic(head: string): string | null {
  const named =
    /\b(?:section|heading|subsection|note|tip|warning|paragraph|example|sentence)s? (?:called|titled|named|about|on|for|regarding|covering|explaining|describing) (?:the )?["']?(.+?)["']?(?: (?:on|in|to|into|at|under) (?:the )?[\w /-]+)?$/i.exec(
      head,
    )?.[1]
  const quoted = /\b(?:section|heading) ["']([^"']+)["']/i.exec(head)?.[1]
  const before =
    /\b(?:add|write|create|append|insert|include|put) (?:an? |the |another |new |short |small |brief )*["']?([\w -]+?)["']? (?:sub)?(?:section|heading|paragraph|example)\b/i.exec(
      head,
    )?.[1]
  const topic = (quoted ?? named ?? before)?.replace(/^(?:new|short|small|an?|the)$/i, '').trim()
  return topic ? cleanPhrase(topic) : null
}

function toProse(content: string, head: string): string {
  const whole = content.charAt(0).toUpperCase() + content.slice(1)
  const text = /[.!?:`|>)]$|\n/.test(whole) ? whole : `${whole}.`
  const kind = /\b(note|tip|warning|info)\b/i.exec(head)?.[1]?.toLowerCase()
  if (!kind || text.includes('\n')) return text
  const name = kind.charAt(0).toUpperCase() + kind.slice(1)
  return `<${name}>\n  ${text}\n</${name}>`
}

/** Lists the pages about a topic with their descriptions. Returns null if no page covers the topic. */
function* collectLinks(topic: string, except: string): Plan<string | null> {
  const sections = yield* collectSections(topic, except)
  const inFolder = (yield* listPages()).filter(
    ({ path }) => path !== except && path.split('/')[0]?.toLowerCase() === topic.toLowerCase(),
  )
  const pages = inFolder.length > 0 ? inFolder : [...new Map(sections.map(({ page }) => [page.path, page])).values()]
  const files = yield* viewFiles(pages.map(({ path }) => path))
  const rows = pages.map((page, index) => {
    const description = files[index]?.lines
      .map((line) => /^description: ["']?(.+?)["']?$/.exec(line)?.[1])
      .find(Boolean)
    return `- [${page.title}](/${toSlug(page.path)}): ${description ?? toDescription(page.title, files[index]?.lines.join('\n') ?? '')}`
  })
  return rows.length === 0 ? null : rows.join('\n')
}
