import { findFrontLinks, type PlacedLink } from './find-front-links.ts'

const TAG = /\{%[ \t]{0,9}(?:file|content-ref|embed|swagger|openapi)\b[^{}\n]{0,2000}%\}/g
const TAG_VALUE = /[ \t](?:src|url)[ \t]{0,9}=[ \t]{0,9}(["'])([^"'\n]{1,1000})\1/g
const FIGURE = /\{\{[<%][ \t\n]{0,20}figure\b[^{}]{0,2000}[>%]\}\}/g
const FIGURE_VALUE = /[ \t\n](?:src|link)[ \t]{0,9}=[ \t]{0,9}(["`])([^"`\n]{1,1000})\1/g
const DIRECTIVE = /^[ \t]{0,40}(?:`{3,20}|:{3,20}|~{3,20})\{(?:figure|image)\}[ \t]{1,9}(\S[^\n]{0,1000}?)[ \t]*$/gm
const DOWNLOAD = /\{download\}`(?:[^`<\n]{0,500}<)?([^`<>\n]{1,1000})>?`/g
const ANY = /\{%|\{\{[<%]|\{(?:figure|image|download)\}/
const MAX_LINKS = 5_000

/**
 * Finds the links of a page that the parser reads as text or code: in front matter, blocks of
 * GitBook, shortcodes of Hugo and directives of MyST. The site decides which notations apply.
 * @param isCode returns true if a line (1-based) is inside a code block
 */
export function findPlacedLinks(text: string, isCode: (line: number) => boolean): (PlacedLink & { line: number })[] {
  const links = findFrontLinks(text)
  const add = (form: PlacedLink['form'], kind: PlacedLink['kind'], href: string, start: number) => {
    if (links.length < MAX_LINKS) links.push({ kind, form, href, start, end: start + href.length })
  }
  const addAll = (form: PlacedLink['form'], block: RegExp, value: RegExp) => {
    for (const { 0: whole, index } of text.matchAll(block)) {
      // Text in backticks is an example.
      if (text[index - 1] === '`') continue
      for (const match of whole.matchAll(value)) {
        const href = match[2] ?? ''
        add(form, 'link', href, index + match.index + match[0].length - 1 - href.length)
      }
    }
  }
  if (ANY.test(text)) {
    addAll('tag', TAG, TAG_VALUE)
    addAll('figure', FIGURE, FIGURE_VALUE)
    for (const [form, kind, pattern] of [
      ['directive', 'image', DIRECTIVE],
      ['directive', 'link', DOWNLOAD],
    ] as const) {
      for (const match of text.matchAll(pattern)) {
        const href = match[1] ?? ''
        add(form, kind, href, match.index + match[0].lastIndexOf(href))
      }
    }
  }
  const lines = addLines(text, links)
  // Hugo reads shortcodes in code, too.
  return lines.filter(({ form, line }) => form === 'figure' || !isCode(line))
}

function addLines(text: string, links: readonly PlacedLink[]): (PlacedLink & { line: number })[] {
  let [line, at] = [1, text.indexOf('\n')]
  return [...links]
    .sort((a, b) => a.start - b.start)
    .map((link) => {
      for (; at !== -1 && at < link.start; at = text.indexOf('\n', at + 1)) line += 1
      return { ...link, line }
    })
}
