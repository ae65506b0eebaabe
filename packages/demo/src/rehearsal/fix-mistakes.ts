import { posix } from 'node:path'
import { findScope, isKept, listPages, toName, toSlug } from './find-pages.ts'
import {
  buildLineEdit,
  callTool,
  type Ending,
  editFiles,
  type Plan,
  plural,
  quote,
  searchText,
  type TextEdit,
  toList,
  toText,
  viewFiles,
} from './plan.ts'

/** Common misspellings and their corrections. */
const MISSPELLINGS: Readonly<Record<string, string>> = Object.fromEntries(
  `accomodate accommodate|acheive achieve|adress address|alot a lot|arguement argument|authentification authentication
  automaticaly automatically|avaliable available|becuase because|begining beginning|beleive believe|calender calendar
  commited committed|compatability compatibility|completly completely|consistant consistent|definately definitely
  dependancy dependency|diferent different|enviroment environment|existance existence|finaly finally|follwing following
  immediatly immediately|importent important|independant independent|langauge language|lenght length|libary library
  maintainance maintenance|neccessary necessary|necesary necessary|occured occurred|occurence occurrence|paramter parameter
  perfomance performance|persistant persistent|posible possible|prefered preferred|priviledge privilege|recieve receive
  recieved received|recieves receives|reccomend recommend|recomend recommend|refered referred|relevent relevant
  remeber remember|remebers remembers|repositry repository|responce response|retreive retrieve|seperate separate
  seperated separated|seperately separately|similiar similar|succesful successful|succesfully successfully|teh the
  threshhold threshold|truely truly|untill until|usefull useful|verison version|wether whether|wich which|writen written`
    .split(/[|\n]/)
    .map((pair) => [pair.trim().split(' ')[0] ?? '', pair.trim().split(' ').slice(1).join(' ')]),
)

/** Words that are a mistake when they occur twice in a row. */
const DOUBLED = 'the|a|an|and|to|of|in|it|as|for|on|with|be|are|or|at|by|from|you|this|we|is|its|when|if|not'.split('|')

const WRONG = Object.keys(MISSPELLINGS).join('|')
const MISTAKES = new RegExp(`\\b(?:${WRONG})\\b|\\b(${DOUBLED.join('|')}) \\1\\b`, 'gi')
/** The same expression for the search tool, which has no back references. */
const MISTAKES_RE2 = `\\b(?:${WRONG}|${DOUBLED.map((word) => `${word} ${word}`).join('|')})\\b`

/**
 * Corrects common misspellings and doubled words, outside of code and of release notes.
 * @param phrase the pages to correct, or null for all
 */
export function* fixTypos(phrase: string | null): Plan<Ending> {
  const glob = yield* findScope(phrase, (path) => `Fix the typos in ${path}`)
  const hits = yield* searchText({
    query: MISTAKES_RE2,
    mode: 'regex',
    ignoreCase: true,
    label: 'common misspellings and doubled words',
    glob: glob ?? '**/*.{md,mdx}',
  })
  const paths = [...new Set(hits.map(({ path }) => path))].filter((path) => !isKept(path))
  const rows: string[] = []
  const edits: TextEdit[] = []
  for (const file of yield* viewFiles(paths)) {
    let isCode = false
    for (const [index, line] of file.lines.entries()) {
      if (/^\s*```/.test(line)) isCode = !isCode
      const { text, corrections } = isCode ? { text: line, corrections: [] } : correctLine(line)
      if (text === line) continue
      edits.push(buildLineEdit(file, index + 1, text))
      rows.push(`\`${file.path}\`, line ${index + 1}: ${corrections.join(', ')}`)
    }
  }
  const where = glob === null ? '' : ` in ${glob}`
  if (edits.length === 0) {
    const reason = `No common misspelling and no doubled word was found${where}. The rehearsal model has a list of misspellings. A real model reads the text.`
    return { outcome: 'no_change', reason }
  }
  const { failures } = yield* editFiles(`correcting ${plural(edits.length, 'line')}`, edits)
  const body = toText([`Corrected ${plural(edits.length, 'line')}${where}:`, toList(rows), failures])
  return { outcome: 'changed', title: `Fix typos${where.length < 50 ? where : ''}`, body }
}

/** Corrects a line outside of its inline code. */
function correctLine(line: string): { text: string; corrections: string[] } {
  const corrections: string[] = []
  const correct = (wrong: string, doubled?: string) => {
    const known = MISSPELLINGS[wrong.toLowerCase()] ?? ''
    const right = doubled ?? (/^\p{Lu}/u.test(wrong) ? known.charAt(0).toUpperCase() + known.slice(1) : known)
    corrections.push(`"${wrong}" → "${right}"`)
    return right
  }
  const parts = line.split(/(`[^`]*`)/).map((part) => (part.startsWith('`') ? part : part.replace(MISTAKES, correct)))
  return { text: parts.join(''), corrections }
}

/** Corrects links to missing pages, if exactly one page has the file name. */
export function* fixLinks(): Plan<Ending> {
  const checked = yield* callTool('checking all pages for broken links', 'check_docs', { scope: 'all' })
  const broken = [...checked.text.matchAll(BROKEN)].map(([, path = '', line, target = '']) => ({
    path,
    line: Number(line),
    target,
  }))
  if (broken.length === 0) return { outcome: 'no_change', reason: 'The checks report no broken links.' }
  const pages = yield* listPages()
  const files = yield* viewFiles([...new Set(broken.map(({ path }) => path))])
  const fixed: string[] = []
  const left: string[] = []
  const edits: TextEdit[] = []
  for (const { path, line, target } of broken) {
    const [, slug = '', rest = ''] = /^([^#?]*)(.*)$/.exec(target) ?? []
    const [page, ...others] = pages.filter((one) => toName(one.path) === toName(slug))
    const file = files.find((one) => one.path === path)
    const text = file?.lines[line - 1]
    if (!page || others.length > 0 || !file || !text?.includes(target)) {
      left.push(`\`${path}\`: ${quote(target)}`)
      continue
    }
    const found = slug === toSlug(slug) ? toSlug(page.path) : page.path
    const link = (slug.startsWith('/') ? `/${found}` : posix.relative(posix.dirname(path), found)) + rest
    edits.push(buildLineEdit(file, line, text.replaceAll(target, link)))
    fixed.push(`\`${path}\`: ${quote(target)} is now ${quote(link)}`)
  }
  const unclear =
    left.length === 0 ? null : `Not corrected, because no page or several pages have that name:\n\n${toList(left)}`
  if (unclear !== null && edits.length === 0) return { outcome: 'no_change', reason: unclear }
  const { failures } = yield* editFiles(`correcting ${plural(edits.length, 'link')}`, edits)
  const body = toText([`Corrected ${plural(fixed.length, 'broken link')}:`, toList(fixed), unclear, failures])
  return { outcome: 'changed', title: 'Fix broken links', body }
}

/** A row of check_docs about a link to a missing page. */
const BROKEN = /^(\S+\.mdx?):(\d+): \[links[^\]]*\] The link "([^"]+)" points to a page/gm
