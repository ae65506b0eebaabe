import { type Html, html } from './html.ts'

/**
 * Alternatives in the order in which they win. Every repetition is bounded or excludes its own opener, so that no text, however
 * hostile, makes the search slow.
 */
const TOKEN = new RegExp(
  [
    /\\(?<escaped>[!-/:-@[-`{-~])/,
    /(?<ticks>`{1,3})(?!`)(?<code>[^\n]{1,2000}?)(?<!`)\k<ticks>(?!`)/,
    /!?\[(?<label>[^[\]\n]{0,500})\]\((?<target>[^()\s]{1,2000})\)/,
    /\*\*(?<strong>[^*\n]{1,1000})\*\*/,
    /~~(?<struck>[^~\n]{1,1000})~~/,
    /\*(?<emphasis>[^*\s][^*\n]{0,1000})\*/,
    /(?<!\w)_(?<underlined>[^_\s][^_\n]{0,1000})_(?!\w)/,
    /<(?<angle>https?:\/\/[^\s<>]{1,2000})>/,
    /(?<!\w)(?<bare>https?:\/\/[^\s<>()"'`]{1,2000}[^\s<>()"'`.,;:!?*_])/,
    /&(?<entity>#\d{1,7}|#x[0-9a-f]{1,6}|[a-z]{2,6});/,
  ]
    .map((pattern) => pattern.source)
    .join('|'),
  'gi',
)

const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u00A0',
}

/** The Markdown inside a line: code, emphasis, links to http(s). Everything else is text, HTML included. */
export function renderInline(text: string, depth = 0): Html {
  const parts: Html[] = []
  let end = 0
  for (const match of text.matchAll(TOKEN)) {
    parts.push(html`${text.slice(end, match.index)}`, renderToken(match[0], match.groups ?? {}, depth))
    end = match.index + match[0].length
  }
  parts.push(html`${text.slice(end)}`)
  return html`${parts}`
}

/** A title is text, but for its code: as on GitHub. */
export function renderTitle(title: string): Html {
  const parts = title.split(/`([^`]+)`/)
  return html`${parts.map((part, i) => (i % 2 === 1 ? html`<code>${part}</code>` : part))}`
}

function renderToken(whole: string, groups: Record<string, string | undefined>, depth: number): Html {
  const inner = (text: string): Html => (depth < 3 ? renderInline(text, depth + 1) : html`${text}`)
  if (groups.escaped !== undefined) return html`${groups.escaped}`
  if (groups.code !== undefined) return html`<code>${stripOne(groups.code)}</code>`
  if (groups.target !== undefined) return renderLink(groups.target, inner(groups.label || groups.target), whole)
  if (groups.strong !== undefined) return html`<strong>${inner(groups.strong)}</strong>`
  if (groups.struck !== undefined) return html`<s>${inner(groups.struck)}</s>`
  const emphasis = groups.emphasis ?? groups.underlined
  if (emphasis !== undefined) return html`<em>${inner(emphasis)}</em>`
  const address = groups.angle ?? groups.bare
  if (address !== undefined) return renderLink(address, html`${address}`, whole)
  if (groups.entity !== undefined) return html`${decodeEntity(groups.entity) ?? whole}`
  return html`${whole}`
}

/** A link when it leads to http or https; anything else stays the text that it was. */
function renderLink(target: string, label: Html, whole: string): Html {
  const decoded = target.replace(/&(#\d{1,7}|#x[0-9a-f]{1,6}|[a-z]{2,6});/gi, (all, name) => decodeEntity(name) ?? all)
  const address = URL.canParse(decoded) ? new URL(decoded) : null
  if (address?.protocol !== 'https:' && address?.protocol !== 'http:') return html`${whole}`
  return html`<a href="${address.href}" rel="nofollow noopener noreferrer">${label}</a>`
}

function decodeEntity(name: string): string | null {
  if (!name.startsWith('#')) return ENTITIES[name.toLowerCase()] ?? null
  const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number.parseInt(name.slice(1), 10)
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : null
}

/** Code may be written with a space on either side, for the sake of backticks inside. */
function stripOne(code: string): string {
  return /^ .*\S.* $/.test(code) ? code.slice(1, -1) : code
}
