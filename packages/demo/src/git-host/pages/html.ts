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
