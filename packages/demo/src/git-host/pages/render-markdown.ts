import { micromark } from 'micromark'
import { gfm, gfmHtml } from 'micromark-extension-gfm'
import { type Html, html, showControls } from './html.ts'

type HtmlExtension = ReturnType<typeof gfmHtml>
type Handle = NonNullable<NonNullable<HtmlExtension['exit']>['htmlFlow']>

/** Images load a resource and footnotes require IDs, so both are rendered as text. */
const SYNTAX = [
  gfm(),
  { disable: { null: ['labelStartImage', 'gfmFootnoteCall', 'gfmFootnoteDefinition', 'gfmPotentialFootnoteCall'] } },
]

/**
 * micromark takes quadratic time for some input. Text with more markup characters than this is
 * shown unrendered. Rendering text at the limit takes about half a second.
 */
const MAX_MARKS = 2_500
const MARK = /[!#&*+:<>[\\\]^_`|~-]/g

const COMMENT = /^<!--(?:(?!-->)[\s\S])*-->$/

const startRaw: Handle = function () {
  this.buffer()
}

/** Renders raw HTML as text. Omits comments, as GitHub does. */
const endRaw: Handle = function (token) {
  this.resume()
  const source = this.sliceSerialize(token)
  if (COMMENT.test(source.trim())) return
  if (token.type === 'htmlText') return this.raw(this.encode(source))
  this.lineEndingIfNeeded()
  this.tag('<p>')
  this.raw(this.encode(source))
  this.tag('</p>')
}

const RAW_HTML: HtmlExtension = {
  enter: { htmlFlow: startRaw, htmlText: startRaw },
  exit: { htmlFlow: endRaw, htmlText: endRaw },
}

/** Maps micromark's tags to the page's tags. The page title uses the first heading level. */
const BLOCKS: Readonly<Record<string, string>> = {
  h1: 'h2',
  h2: 'h3',
  h3: 'h4',
  h4: 'h4',
  h5: 'h4',
  h6: 'h4',
  p: 'p',
  blockquote: 'blockquote',
  ul: 'ul',
  ol: 'ol',
  li: 'li',
  hr: 'hr',
  br: 'br',
  pre: 'pre',
  table: 'table',
  thead: 'thead',
  tbody: 'tbody',
  tr: 'tr',
  th: 'th',
  td: 'td',
}
const INLINES: Readonly<Record<string, string>> = { em: 'em', strong: 'strong', del: 's', code: 'code' }

const TAG = /<(\/?)([a-z][a-z0-9]*)([^<>]*)>/

/**
 * Renders GitHub's Markdown for descriptions and comments. Raw HTML is shown as text, and only
 * http(s) links become links. micromark escapes the text. Each of its tags is replaced with a tag
 * from `BLOCKS` or `INLINES` without attributes, so a page cannot contain an unexpected tag.
 */
export function renderMarkdown(text: string): Html {
  if ((text.match(MARK) ?? []).length > MAX_MARKS) return html`<pre>${text}</pre>`
  const parts = micromark(text, { extensions: SYNTAX, htmlExtensions: [gfmHtml(), RAW_HTML] }).split(TAG)
  const links: boolean[] = []
  let isCode = false
  let markup = ''
  // Text and tags alternate: text, slash, name, attributes, text, …
  for (let at = 0; at < parts.length; at += 4) {
    const [shown = '', slash = '', name = '', attributes = ''] = parts.slice(at, at + 4)
    markup += isCode ? showControls(shown).replace(/\n$/, '') : renderText(shown, parts[at - 2], name)
    if (name === 'pre') isCode = slash === ''
    if (name === 'a') markup += slash ? closeLink(links) : openLink(attributes, links)
    else if (name === 'input') markup += `<span class="box">${attributes.includes('checked') ? '☑' : '☐'}</span>`
    else markup += toOwnTag(slash, name)
  }
  return { markup }
}

function toOwnTag(slash: string, name: string): string {
  const own = BLOCKS[name] ?? INLINES[name]
  return own ? `<${slash}${own}>` : ''
}

/**
 * Renders line breaks as in GitHub's pull requests. Removes line breaks next to blocks, which
 * only format the markup.
 */
function renderText(text: string, before: string | undefined, after: string): string {
  const start = before === undefined || before in BLOCKS ? text.replace(/^\n/, '') : text
  const inside = after === '' || after in BLOCKS ? start.replace(/\n$/, '') : start
  return showControls(inside).replaceAll('\n', '<br>')
}

function openLink(attributes: string, links: boolean[]): string {
  const target = /href="([^"]*)"/.exec(attributes)?.[1]?.replaceAll('&amp;', '&') ?? ''
  const address = URL.canParse(target) ? new URL(target) : null
  const isWeb = address?.protocol === 'https:' || address?.protocol === 'http:'
  links.push(isWeb)
  return isWeb ? html`<a href="${address.href}" rel="nofollow noopener noreferrer">`.markup : ''
}

function closeLink(links: boolean[]): string {
  return links.pop() ? '</a>' : ''
}
