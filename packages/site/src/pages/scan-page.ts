import { decodeText } from '../workspace/text-file.ts'
import { blankComments } from './blank-comments.ts'
import { dropEscapes } from './drop-escapes.ts'
import { findFrontmatterProblems } from './find-frontmatter-problems.ts'
import { toLabel } from './find-labels.ts'
import { findNotations } from './find-notations.ts'
import { findShortcodes } from './find-shortcodes.ts'
import type { PageLink } from './page-content.ts'
import { type PageFacts, readPageFacts } from './read-page-facts.ts'
import { someDestination } from './some-destination.ts'

interface HiddenLink extends PageLink {
  /** How often the page has this link. Default: 1. */
  readonly times?: number
}

/** The page data that can be read without parsing the page. */
export interface PageScan {
  /** Facts from the front matter; null if the page could not be read. */
  readonly facts: PageFacts | null
  /** False if the front matter has problems. The checks then ignore its facts. */
  readonly isValid: boolean
  /** Length of the text. */
  readonly chars: number
  /** Links that are probably not in code or comments. Lines are 0. */
  readonly shown: readonly PageLink[]
  /**
   * All other possible links. `shown` and `hidden` contain every link of the parsed page. `hidden`
   * contains Markdown destinations a second time, as images. Equal links are listed once.
   */
  readonly hidden: readonly HiddenLink[]
  /** Names of shortcodes that the page closes, and of those that it does not close. */
  readonly pairs: readonly string[]
  readonly singles: readonly string[]
  /** True if the page may have references to labels that it does not define. */
  readonly hasOpenLabels: boolean
  /** Names of components that the page may use without an import. */
  readonly components: readonly string[]
}

export const EMPTY_SCAN: PageScan = {
  facts: null,
  isValid: false,
  chars: 0,
  shown: [],
  hidden: [],
  pairs: [],
  singles: [],
  hasOpenLabels: false,
  components: [],
}
/** The scan of a page that was not scanned, because the runner failed. */
export const FAILED_SCAN: PageScan = { ...EMPTY_SCAN }

/** Longest destination that `collectPage` reads, and maximum number of destinations per page. */
const MAX_HREF = 2_000
const MAX_LINKS = 60_000

/** Scans a page of at most 1 MB. Synchronous CPU work, about 20 ms per MB. Never throws. */
export function scanPage(bytes: Uint8Array): PageScan {
  const file = decodeText(bytes)
  if (typeof file === 'string') return EMPTY_SCAN
  const { text } = file
  const visible = blankCode(text)
  const shown: PageLink[] = []
  const hidden: HiddenLink[] = []
  /** Positions in `hidden`. */
  const known = new Map<string, number>()
  const hasImages = text.includes('![')
  const addHidden = (link: Omit<PageLink, 'line'>) => {
    const key = `${link.kind} ${link.notation} ${link.href}`
    const at = known.get(key)
    const same = at === undefined ? undefined : hidden[at]
    if (at !== undefined && same !== undefined) hidden[at] = { ...same, times: (same.times ?? 1) + 1 }
    else known.set(key, hidden.push({ ...link, line: 0 }) - 1)
  }
  const add = (href: string, kind: PageLink['kind'], at: number | null) => {
    if (href.length > MAX_HREF) return false
    if (at !== null && visible[at] === text[at]) shown.push({ kind, href, line: 0 })
    else addHidden({ kind, href })
    if (kind === 'link' && hasImages) addHidden({ kind: 'image', href })
    // The parser removes escapes from imports.
    if (kind === 'import' && href.includes('\\')) addHidden({ kind, href: dropEscapes(href) })
    return shown.length + hidden.length >= MAX_LINKS
  }
  someDestination(text, add)
  // A comment inside a tag or a destination is replaced with blanks before the page is parsed.
  if (text.includes('<!--')) someDestination(blankComments(text), (href, kind) => add(href, kind, null))
  for (const { kind, notation, href, at } of findNotations(text, () => false)) {
    if (kind !== 'include' && visible[at] === text[at]) shown.push({ kind, notation, href, line: 0 })
    else addHidden({ kind, notation, href })
  }
  const { open, closed } = findShortcodes(text)
  return {
    facts: readPageFacts(text),
    isValid: findFrontmatterProblems(text).length === 0,
    chars: text.length,
    shown,
    hidden,
    pairs: closed,
    singles: [...new Set(open.map(({ name }) => name))],
    hasOpenLabels: mayHaveOpenLabels(visible),
    components: scanComponents(visible),
  }
}

/** A label with a dot is the name of a documented object. */
function mayHaveOpenLabels(text: string): boolean {
  const found = text.includes('][') ? text.matchAll(/\]\[([A-Za-z][^[\].\n]{0,200})\]/g) : []
  const defined = new Set(
    Array.from(text.matchAll(/^[ \t]{0,3}\[([^\]\n]{1,200})\]:/gm), ([, label = '']) => toLabel(label)),
  )
  return [...found].some(([, label = '']) => !defined.has(toLabel(label)))
}

const INLINE = /(?<!`)(`{1,3})(?!`)[^\n]{0,500}?(?<!`)\1(?!`)/g

/**
 * Replaces code blocks, code in a line, and comments with blanks, without parsing the page. The
 * result has the same length. Blanks some text that is not code, and misses some code.
 */
function blankCode(text: string): string {
  const blank = (found: string) => ' '.repeat(found.length)
  let fence: string | null = null
  const lines = text.split('\n').map((line) => {
    const mark = /^[ \t>]{0,20}(`{3,20}|~{3,20})/.exec(line)?.[1]
    const isOpen = fence !== null
    if (mark !== undefined) {
      if (fence === null) fence = mark
      else if (mark.startsWith(fence)) fence = null
    }
    return isOpen || mark !== undefined ? blank(line) : line.includes('`') ? line.replace(INLINE, blank) : line
  })
  return blankComments(lines.join('\n'))
}

const TAG = /<([A-Z][\w$]{0,99})/g
/** Matches the start of an import or export up to the names that it defines. */
const DEFINITION = /^(?:import|export)\b[^;]{0,2000}?(?:\bfrom\b|=|\()/gm
const WORD = /[A-Z][\w$]*/g
const MAX_COMPONENTS = 500

/**
 * Returns the names of components that a page may use without an import, without parsing the page.
 * Returns too many names rather than too few.
 * @param visible the text without code and comments
 */
function scanComponents(visible: string): string[] {
  const names = new Set<string>()
  for (const [, name = ''] of visible.matchAll(TAG)) if (names.size < MAX_COMPONENTS) names.add(name)
  if (names.size === 0) return []
  for (const [definition] of visible.matchAll(DEFINITION))
    for (const [word] of definition.matchAll(WORD)) names.delete(word)
  return [...names]
}
