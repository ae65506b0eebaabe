import { posix } from 'node:path'
import { cleanPhrase, hasWord } from '../meaning/request.ts'
import { findPage } from '../plan/find-page.ts'
import { listPages, type PageInfo } from '../plan/list-pages.ts'
import { listGroups, moveEntryToGroup } from '../plan/navigation-groups.ts'
import { toSlug } from '../plan/page-path.ts'
import type { Ending, Plan } from '../plan/plan.ts'
import { setPageField } from '../plan/set-page-field.ts'
import { toList } from '../plan/words.ts'
import { removePage } from '../rules/delete-page.ts'
import { movePageTo } from '../rules/move-page.ts'
import type { Reader } from './reader.ts'

const ask = (reason: string): Ending => ({ outcome: 'needs_input', reason })
const clean = (text: string): string => text.replace(/^["'\s]+|["'\s.!?]+$/g, '')

/** Changes of a page's title or description. */
export const readField: Reader = ({ text }) => {
  const change =
    /\b(?:change|set|update|rename|edit|make) (?:the )?(title|heading|description|name) (?:of|for|on|in) (.+?) (?:to(?: be)?|as|:|->|→) ["']?(.+?)["']?[.!]?$/i.exec(
      text,
    ) ?? /\bgive (?:the )?()(.+?) (?:page )?(?:the|a) (?:new )?(?:title|name):? ["']?(.+?)["']?[.!]?$/i.exec(text)
  const [, field, phrase, value] = change ?? []
  if (!phrase || !value || /\bflags?\b|--/.test(phrase)) return null
  const name = /description/i.test(field ?? '') ? 'description' : 'title'
  return function* () {
    const found = yield* findPage(cleanPhrase(phrase))
    if ('question' in found) return ask(found.question)
    return yield* setPageField(found.page.path, name, value)
  }
}

/** Moves of a page to a path, a folder or a group of the navigation. */
export const readMove: Reader = (request) => {
  const { text } = request
  const moved =
    /\b(?:move|relocate|put|place|shift|transfer|migrate) (.+?) (?:from (?:\S+|the .+?) )?(?:in|on|inside|under|below|beneath)?(?:to|into|under|inside|below|beneath) (.+?)(?:,? (?:and|so that|because)\b.*)?[.!?]?$/i.exec(
      text,
    )
  const renamed =
    /\brename (?:the )?(?:page|file|guide) (.+?) (?:to|as|into) (.+?)[.!?]?$/i.exec(text) ??
    /\brename (?:the )?(.+? (?:page|guide|article|file)) (?:to|as|into) (.+?)[.!?]?$/i.exec(text)
  const [, phrase, target] = renamed ?? moved ?? []
  if (!phrase || !target) return null
  if (
    renamed === null &&
    /^["']|^(?:section|paragraph|heading|sentence|text)\b|\b(?:section|paragraph|heading|sentence)s? (?:of|from|about|on|in)\b/i.test(
      cleanPhrase(phrase),
    )
  )
    return null
  return () => move(cleanPhrase(phrase), clean(target), renamed !== null)
}

function* move(phrase: string, target: string, isRename: boolean): Plan<Ending> {
  const found = yield* findPage(phrase)
  if ('question' in found) return ask(found.question)
  const { path } = found.page
  const wanted = target.replace(/^(?:the|our|a)\s+/i, '')
  const pages = yield* listPages()
  const folders = new Set(pages.map((page) => posix.dirname(page.path)).filter((folder) => folder !== '.'))
  if (/^[\w./-]+$/.test(wanted) && wanted.includes('/')) {
    const isFolder = wanted.endsWith('/') || folders.has(wanted)
    return yield* movePageTo(path, isFolder ? `${wanted.replace(/\/$/, '')}/${posix.basename(path)}` : wanted)
  }
  if (isRename) {
    const name = clean(wanted)
    const slug = name
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, '-')
      .replace(/^-|-$/g, '')
    return yield* renamePage(found.page, posix.join(posix.dirname(path), `${slug}${posix.extname(path)}`), name)
  }
  const bare = clean(wanted.replace(/^["']/, ''))
    .replace(/["']?\s*(?:folder|directory|section|group|tab|category|menu|part|guides?)(?: of .*)?$/i, '')
    .replace(/["']/g, '')
  const groups = yield* listGroups()
  const group = groups.find((one) => isSameName(one, bare) || isSameName(one, wanted))
  const folder = [...folders].find((one) => isSameName(one, bare) || isSameName(one, wanted))
  const mayMoveFile = folder !== undefined && posix.dirname(path) !== folder
  if (mayMoveFile && (/\b(?:folder|directory)\b/i.test(wanted) || group === undefined)) {
    return yield* movePageTo(path, `${folder}/${posix.basename(path)}`)
  }
  if (group !== undefined) return yield* moveEntryToGroup(path, group)
  return ask(
    `Where should \`${path}\` go? The navigation has these groups:\n\n${toList(groups)}\n\nThe folders are: ${[...folders].join(', ')}.`,
  )
}

/** Moves a page to the path of its new title, and changes the title. */
function* renamePage({ path, title }: PageInfo, target: string, name: string): Plan<Ending> {
  const moved = target === path ? null : yield* movePageTo(path, target)
  if (moved !== null && moved.outcome !== 'changed') return moved
  const titled = title === name ? null : yield* setPageField(target, 'title', name)
  if (moved === null) return titled ?? { outcome: 'no_change', reason: `\`${path}\` has this title already.` }
  return titled?.outcome === 'changed' ? { ...moved, body: `The title is now "${name}". ${moved.body}` } : moved
}

function isSameName(a: string, b: string): boolean {
  const [left, right] = [a, b].map((text) =>
    text
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]/gu, '')
      .replace(/s$/, ''),
  )
  return left !== '' && left === right
}

const DELETE = '(?:delete|remove|drop|discard|retire|unpublish|get rid of|take (?:out|down)|throw away|erase)'

/** Deletions of a page. */
export const readDelete: Reader = (request) => {
  const { text } = request
  const [, phrase] =
    new RegExp(
      `\\b${DELETE} (.+?)(?:(?:,? (?:and|because|since|as (?:it|we)|from the (?:docs|documentation|site|nav\\w*|sidebar|menu)|from docs|completely|entirely)|, (?:it|they|which|nobody|no one|we))\\b.*)?[.!?]?$`,
      'i',
    ).exec(text) ?? []
  if (!phrase) return null
  const isPage =
    hasWord({ words: phrase.split(/\s+/) }, 'page guide article file tutorial') ||
    /^["']?[\w-]+\/[\w./-]+["']?$/.test(phrase)
  if (!isPage || /\b(?:link|section|paragraph|heading|row|flag|sentence)s?\b/i.test(phrase) || /--\w/.test(phrase))
    return null
  if (/\bdeprecated|outdated|old|unused|obsolete\b/i.test(phrase) && !/\/\w/.test(phrase))
    return () => askForPage(phrase)
  return function* () {
    const found = yield* findPage(cleanPhrase(phrase))
    if ('question' in found) return ask(found.question)
    return yield* removePage(found.page.path)
  }
}

function* askForPage(phrase: string): Plan<Ending> {
  const pages: PageInfo[] = yield* listPages()
  const rows = toList(pages.slice(0, 8).map(({ path, title }) => `\`${toSlug(path)}\`: ${title}`))
  return ask(
    `Which page do you mean by "${cleanPhrase(phrase)}"? No page is marked that way. Some of the pages are:\n\n${rows}`,
  )
}
