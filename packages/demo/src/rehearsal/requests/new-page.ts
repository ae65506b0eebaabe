import { cleanPhrase, findContent, hasWord, type Request } from '../meaning/request.ts'
import { collectSections } from '../plan/collect-sections.ts'
import { createPage, toDescription } from '../plan/create-page.ts'
import { rankPages } from '../plan/find-page.ts'
import { listPages } from '../plan/list-pages.ts'
import { toSlug } from '../plan/page-path.ts'
import type { Ending, Plan } from '../plan/plan.ts'
import { plural } from '../plan/words.ts'
import { TO_PAGE } from './addition.ts'
import type { Reader } from './reader.ts'
import { WORDS } from './reader.ts'
import { toLinkedSection } from './to-linked-section.ts'

const CREATE = 'add write create draft make new compose prepare introduce start publish document need'

interface Wanted {
  topic: string
  title: string
  content: string | null
}

/** New pages. Their text is in the prompt, or is collected from the pages about the topic. */
export const readNewPage: Reader = (request) => {
  if (!hasWord(request, CREATE)) return null
  if (TO_PAGE.test(request.text) && !/\b(?:page|guide|tutorial|article)\b.* (?:about|on|for) /i.test(request.text))
    return null
  const wanted = parseNewPage(request)
  return wanted ? () => addPage(wanted) : null
}

function parseNewPage(request: Request): Wanted | null {
  const text = request.text.replace(/"""[\s\S]*?"""/g, '')
  const head = (text.split(/:\s|\n/)[0] ?? text).replace(
    / (?:to|in|under|into) (?:the |our )?[\w"' -]+ (?:group|tab)\b.*$/i,
    '',
  )
  const named =
    /\b(?:called|titled|named|entitled|with (?:the )?title) ["']?([^"'\n]+?)["']?(?=$|[.,;:]| (?:that|with|in|under|about|explaining|for)\b)/i.exec(
      text,
    )?.[1]
  const noun =
    '(?:page|guide|tutorial|article|how-?to|doc(?:ument)?|walkthrough|chapter|cookbook|recipe|faq|reference|section|overview|introduction|quick-?start|glossary|cheat ?sheet|checklist)s?'
  const about = new RegExp(
    `\\b${noun}\\b(?: page| guide| section)?,? (?:about|on|for|covering|explaining|describing|regarding|of|documenting|to explain|that (?:explains?|describes?|covers?|documents?|shows?)|which (?:explains?|describes?|covers?)|showing|how to|to) (?:the )?(.+)$`,
    'i',
  ).exec(head)?.[1]
  const before = new RegExp(
    `\\b(?:add|write|create|draft|make|compose|prepare|introduce|start|publish|need|new) (?:me |us )?(?:an? |the |some |new |another |short |simple |dedicated |small |brief |separate )*([\\w/&' -]+?) ${noun}\\b`,
    'i',
  ).exec(head)?.[1]
  const isPage = hasWord(request, WORDS.page) || new RegExp(`\\b${noun}\\b`, 'i').test(head)
  const documented =
    /^(?:document|describe|write(?: something)? about|explain|cover) (?:how (?:to )?|the |our )?(.+)$/i.exec(head)?.[1]
  if (!isPage && !documented) return null
  const kind =
    /\b(quick-?start|tutorial|faq|troubleshooting|cookbook|overview|walkthrough|glossary|cheat ?sheet|checklist)\b/i.exec(
      head,
    )?.[1]
  const raw =
    about ??
    (before && !/^(?:new|short|the|a|an|page)$/i.test(before) ? before : undefined) ??
    named ??
    documented ??
    kind
  if (!raw) return null
  const topic = cleanPhrase(cutTail(raw))
  if (topic === '' || topic.split(' ').length > 9) return null
  const kinds = [before?.replace(/^(?:new|short|simple|the|an?|page|detailed|dedicated)\b ?/i, ''), kind]
  const qualifier = about ? kinds.find((one) => one && !topic.toLowerCase().includes(one.toLowerCase())) : undefined
  const title = named ?? (qualifier ? `${toTitleCase(qualifier)} for ${topic}` : toTitleCase(topic))
  return {
    topic: topic.replace(/\b(?:users?|beginners?|developers?|people|newcomers)\b/gi, '').trim() || topic,
    title: cleanPhrase(title),
    content: findContent(request),
  }
}

const cutTail = (text: string): string =>
  text
    .replace(
      /,.*$|\b(?:and (?:add|link|put|include)|so that|because|under|in the (?:guides?|docs|documentation|navigation|sidebar|\w+ (?:group|section|tab))|to the (?:docs|documentation|site|guides?|sidebar|navigation)|in our (?:docs|documentation)|with (?:an? )?(?:example|code)s?)\b.*$/i,
      '',
    )
    .replace(/\s+(?:page|guide|section|article|tutorial)$/i, '')

const toTitleCase = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

function* addPage({ topic, title, content }: Wanted): Plan<Ending> {
  const pages = yield* listPages()
  const [best] = rankPages(pages, title)
  const slug = title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '')
  const path = `${pages.some((page) => page.path.startsWith('guides/')) ? 'guides/' : ''}${slug}.mdx`
  const known =
    pages.find((page) => page.path === path) ?? (best?.recall === 1 && best.score >= 1.25 ? best.page : null)
  if (known) {
    const reason = `\`${known.path}\` ("${known.title}") covers this topic already. To change that page, say what it should contain.`
    return { outcome: 'no_change', reason }
  }
  if (content !== null)
    return yield* createPage(path, { title, group: null, text: content, description: toDescription(title, content) })
  const sections = yield* collectSections(topic)
  if (sections.length === 0) {
    return {
      outcome: 'needs_input',
      reason: `What should the page about ${topic} say? The documentation contains no facts about it, and facts must not be invented. Send the text after a colon.`,
    }
  }
  const names = [...new Set(sections.map(({ page }) => `[${page.title}](/${toSlug(page.path)})`))]
  const text = [
    `This page collects what the documentation says about ${topic}. The sources are ${joinNames(names)}.`,
    ...sections.map((section, index) => toLinkedSection(section, sections.slice(0, index))),
  ].join('\n\n')
  const description = `What the documentation says about ${topic}.`
  return yield* createPage(path, {
    title,
    group: null,
    text,
    description,
    origin: `Its text is collected from ${plural(sections.length, 'section')} of other pages. Review whether it should stay on both.`,
  })
}

const joinNames = (names: readonly string[]): string =>
  names.length < 2 ? (names[0] ?? '') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
