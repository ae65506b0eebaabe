import { STYLES } from './styles.ts'

/**
 * Headers of all pages. The pages contain only text and styles. They run no scripts, load no
 * resources, submit no forms and cannot be framed.
 */
export const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
} as const

interface Page {
  readonly title: string
  /** Repository that the page belongs to. */
  readonly full?: string
  readonly content: Html
}

export function renderPage({ title, full, content }: Page): string {
  const step = full !== undefined && html` <span class="muted">/</span> <a href="/${full}">${full}</a>`
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
${{ markup: `<style>${STYLES}</style>` }}
</head>
<body>
<header><div><nav aria-label="Breadcrumb"><a href="/">Repositories</a>${step}</nav><span class="note">Local Git host</span></div></header>
<main>
${content}
</main>
<footer>This is Corrigenda's local Git host. It runs on this machine and sends no data to other services.</footer>
</body>
</html>
`.markup
}

/** Renders a time in UTC. */
export function renderTime(iso: string): Html {
  const [day = '', time = ''] = new Date(iso).toISOString().split('T')
  return html`<time datetime="${iso}">${day} ${time.slice(0, 5)} UTC</time>`
}

/** Trusted markup that is inserted into a page without escaping. Only `html` creates it. */
export interface Html {
  readonly markup: string
}

export type HtmlValue = Html | string | number | null | false | readonly HtmlValue[]

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/**
 * Builds markup from a template. Escapes every value for text and for quoted attributes, unless it
 * is markup. Joins lists. Null and false produce no output.
 */
export function html(strings: TemplateStringsArray, ...values: HtmlValue[]): Html {
  const markup = strings.map((text, i) => text + (i < values.length ? toMarkup(values[i] ?? null) : '')).join('')
  return { markup }
}

function toMarkup(value: HtmlValue): string {
  if (value === null || value === false) return ''
  if (Array.isArray(value)) return value.map(toMarkup).join('')
  if (typeof value === 'object') return (value as Html).markup
  return escapeText(String(value))
}

function escapeText(text: string): string {
  return showControls(text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? ''))
}

/**
 * Replaces control characters. Characters that change the direction of text (bidi) are shown as
 * code points.
 */
export function showControls(text: string): string {
  return text
    .replace(/[\u202A-\u202E\u2066-\u2069]/g, (c) => `[U+${c.charCodeAt(0).toString(16).toUpperCase()}]`)
    .replace(/[^\P{Cc}\t\n]/gu, '\uFFFD')
}
