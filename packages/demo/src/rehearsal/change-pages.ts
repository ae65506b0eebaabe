import { posix } from 'node:path'
import { findPage, isKept, listPages, toName, toSlug } from './find-pages.ts'
import {
  buildLineEdit,
  callTool,
  type Ending,
  editFiles,
  type Plan,
  Question,
  quote,
  searchText,
  toFirstLine,
  toList,
  toText,
  viewFiles,
} from './plan.ts'

/**
 * Moves or renames a page. The tool corrects links and the navigation.
 * @param target a path without an extension, a folder that ends with a slash, or the new title
 */
export function* movePage(phrase: string, target: string): Plan<Ending> {
  const page = yield* findPage(phrase, (path) => `Move ${path} to ${target}`)
  const path = toTarget(page.path, target)
  const moved = yield* callTool(`moving ${page.path} to ${path}`, 'move', { path: page.path, new_path: path })
  if (moved.isError) throw new Question(`${page.path} could not be moved: ${toFirstLine(moved)}`)
  const [, report = ''] = /^[^\n]*\n([\s\S]*)$/.exec(moved.text) ?? []
  const body = toText([
    `Moved \`${page.path}\` to \`${path}\`.`,
    toList(
      report
        .split('\n')
        .filter(Boolean)
        .map((row) => quote(row, 200)),
    ),
  ])
  return { outcome: 'changed', title: `Move ${toSlug(page.path)} to ${toSlug(path)}`, body }
}

function toTarget(path: string, written: string): string {
  const target = written.replace(/^\/+/, '')
  if (target.endsWith('/')) return `${target}${posix.basename(path)}`
  const name =
    target.includes('/') || /\.mdx?$/.test(target) ? target : posix.join(posix.dirname(path), toFileName(target))
  return /\.mdx?$/.test(name) ? name : `${name}${posix.extname(path)}`
}

const toFileName = (title: string): string =>
  title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '')

const MAX_SECTIONS = 3

/** Adds a page with the sections of other pages that are about a topic, because no fact is invented. */
export function* addPage(topic: string): Plan<Ending> {
  const words = topic.toLowerCase().match(/[\p{L}\p{N}-]+/gu) ?? []
  const stem = toStem(words.at(-1) ?? '')
  const hits = yield* searchText({ query: stem, label: quote(topic), ignoreCase: true, glob: '**/*.{md,mdx}' })
  const mentioning = [...new Set(hits.map(({ path }) => path))].filter((path) => !isKept(path)).slice(0, 16)
  const pages = yield* listPages()
  const files = yield* viewFiles(mentioning)
  const sections = files
    .flatMap(({ path, lines }) => splitSections(lines).map((section) => ({ path, ...section })))
    .filter(({ heading, text }) => isAbout(heading, [stem]) && isAbout(`${heading} ${text}`, words) && isWhole(text))
    .slice(0, MAX_SECTIONS)
  const [first] = sections
  const title = topic.charAt(0).toUpperCase() + topic.slice(1)
  if (!first) {
    const reason = `No page has a section about ${quote(topic)}, and the rehearsal model invents no facts.`
    throw new Question(reason)
  }
  const path = `${/^guides\//m.test(pages.map((page) => page.path).join('\n')) ? 'guides/' : ''}${toFileName(topic)}${posix.extname(first.path)}`
  const text = sections.map(({ heading, text, path }) => {
    const source = pages.find((page) => page.path === path)
    return `## ${heading}\n\n${text}\n\nSee also [${source?.title ?? path}](/${toSlug(path)}).`
  })
  const file_text = `---\ntitle: ${JSON.stringify(title)}\ndescription: ${JSON.stringify(`What the documentation says about ${topic}.`)}\n---\n\n${text.join('\n\n')}\n`
  const created = yield* callTool(`writing ${path}`, 'create', { path, file_text })
  if (created.isError) throw new Question(`${path} could not be created: ${toFirstLine(created)}`)
  const listed = yield* addToNavigation(path)
  const from = toList(sections.map(({ path, heading }) => `\`${path}\`, section ${quote(heading)}`))
  return {
    outcome: 'changed',
    title: `Add page ${quote(title)}`,
    body: toText([`Added \`${path}\` with text of these pages:`, from, listed]),
  }
}

/** Splits a page at its headings of the second level. */
function splitSections(lines: readonly string[]): { heading: string; text: string }[] {
  const parts = lines.join('\n').split(/^## /m).slice(1)
  return parts.map((part) => ({
    heading: part.split('\n')[0] ?? '',
    text: part.split('\n').slice(1).join('\n').trim(),
  }))
}

const toStem = (word: string): string => word.replace(/(?:ies|es|s|y)$/, '')

const isAbout = (text: string, words: readonly string[]): boolean =>
  words.every((word) => new RegExp(`(?<![a-z])${toStem(word)}`, 'i').test(text))

/** False for a section that opens or closes a component of another section. */
const isWhole = (text: string): boolean => text !== '' && !/<\/?[A-Z]|^#/m.test(text)

/** Adds a page to docs.json, below the last page of its folder. Returns a sentence about it. */
function* addToNavigation(page: string): Plan<string> {
  const [file] = yield* viewFiles(['docs.json'])
  const folder = `"${posix.dirname(page) === '.' ? '' : `${posix.dirname(page)}/`}`
  const index = file?.lines.findLastIndex((line) => line.trim().startsWith(folder) && !line.includes(':')) ?? -1
  const line = file?.lines[index]
  if (!file || line === undefined) return 'The page is not in the navigation. Add it by hand.'
  const indent = /^\s*/.exec(line)?.[0] ?? ''
  const entry = `${line.replace(/,?\s*$/, ',')}\n${indent}${JSON.stringify(toSlug(page))}${line.trimEnd().endsWith(',') ? ',' : ''}`
  yield* editFiles(`adding ${toName(page)} to docs.json`, [buildLineEdit(file, index + 1, entry)])
  return 'Added it to the navigation in `docs.json`.'
}

/** Answers what the documentation is about, without a change. */
export function* describeSite(): Plan<Ending> {
  const start = yield* findPage('start page', () => '')
  const [file] = yield* viewFiles([start.path])
  const about = file?.lines.map((line) => /^description: ["']?(.+?)["']?$/.exec(line)?.[1]).find(Boolean)
  const pages = yield* listPages()
  const folders = [...new Set(pages.map(({ path }) => (path.includes('/') ? `${path.split('/')[0]}/` : path)))]
  const list = toList(folders.map((folder) => `\`${folder}\``))
  return {
    outcome: 'no_change',
    reason: toText([about ?? null, `The documentation has ${pages.length} pages, in these folders and files:`, list]),
  }
}
