export type ElementKind = 'external_image' | 'script' | 'iframe' | 'external_style' | 'redirect' | 'form'

/** An element that loads something from elsewhere, runs code, or sends the reader elsewhere. */
export interface ActiveElement {
  readonly kind: ElementKind
  /** 1-based line of its start. */
  readonly line: number
  /** Host of an external resource, or empty. Safe to print. */
  readonly detail: string
  /** Equal for two elements with the same text. */
  readonly source: string
}

const EXTERNAL = '(?:https?:)?[\\\\/]{2}'
const IS_EXTERNAL = new RegExp(`^\\s*${EXTERNAL}`, 'i')
const INLINE_IMAGE = new RegExp(`!\\[[^\\]]{0,500}\\]\\(\\s{0,20}<?(${EXTERNAL}[^\\s)>]{1,2000})`, 'gi')
const DEFINITION = new RegExp(`^[ \\t>]{0,20}\\[([^\\]]{1,500})\\]:\\s{0,20}<?(${EXTERNAL}[^\\s>]{1,2000})`, 'gim')
const IMAGE_REFERENCE = /!\[([^\]]{0,500})\](?:\[([^\]]{0,500})\])?/g
const CSS_ADDRESS = new RegExp(`(?:\\burl\\(|@import\\b)[\\s"'(]{0,20}(${EXTERNAL}[^"')\\s]{1,2000})`, 'gi')
const HTML_TAG =
  /<([A-Za-z][\w:.-]{0,60})((?:[^<>"'`{}]|"[^"]{0,2000}"|'[^']{0,2000}'|`[^`]{0,2000}`|\{[^{}]{0,2000}\}|["'`{}]){0,4000})/g
const ATTRIBUTE = /([\w:@.-]{1,60})\s{0,20}=\s{0,20}(?:"([^"]*)"|'([^']*)'|\{([^{}]*)\}|([^\s"'`{}]+))/g
/** Words such as `only` begin like event handlers. */
const HANDLER = /^(?:on(?!ly$|ce$|line$|set$)[a-z]{3,}|v-on:.+|v-html|@[a-z].*|dangerouslysetinnerhtml)$/i
const SCRIPT_ADDRESS = /^(?:javascript|vbscript|data:text\/html)/i

const FRAMES = new Set(['iframe', 'frame', 'frameset', 'portal', 'fencedframe'])
const FORM_TARGETS = new Set(['action', 'formaction'])
const MEDIA_ADDRESSES = new Set(['src', 'srcset', 'data', 'poster', 'background', 'imagesrcset'])
/** Attributes with an address that only these elements load. Other elements only link to it. */
const LOADING_LINKS = new Set(['img', 'image', 'use', 'feimage'])

/**
 * Lists the elements of a page that need a reviewer's attention. Reads every tag and every image on
 * its own, wherever it is, because frameworks disagree about what is code, a comment, or plain text.
 * An element that only some of them display is therefore also listed. Linear in the length of the
 * text.
 */
export function listActiveElements(page: string): ActiveElement[] {
  const text = resolveEscapes(page)
  const found: (Omit<ActiveElement, 'line'> & { readonly at: number })[] = []
  const add = (kind: ElementKind, at: number, address: string, source: string) =>
    found.push({ kind, at, detail: toHost(address), source })

  for (const match of text.matchAll(INLINE_IMAGE)) add('external_image', match.index, match[1] ?? '', match[0])
  const labels = new Set<string>()
  for (const [, alt = '', label] of text.matchAll(IMAGE_REFERENCE)) labels.add(toLabel(label || alt))
  for (const { 0: source, 1: label = '', 2: address = '', index } of text.matchAll(DEFINITION)) {
    if (labels.has(toLabel(label))) add('external_image', index, address, source)
  }
  for (const match of text.matchAll(CSS_ADDRESS)) add('external_style', match.index, match[1] ?? '', match[0])
  for (const { 0: source, 1: name = '', 2: inside = '', index } of text.matchAll(HTML_TAG)) {
    for (const { kind, address } of readTag(name.toLowerCase(), inside)) add(kind, index, address, source)
  }
  const lines = buildLineFinder(text)
  return found.sort((a, b) => a.at - b.at).map(({ at, ...element }) => ({ ...element, line: lines(at) }))
}

function readTag(name: string, inside: string): { kind: ElementKind; address: string }[] {
  const found: { kind: ElementKind; address: string }[] = []
  const attributes = Array.from(inside.matchAll(ATTRIBUTE), ([, key = '', ...values]) => ({
    key: key.toLowerCase().replace(/^(?:xlink:|:|v-bind:)/, ''),
    value: unquote(values.find((value) => value !== undefined) ?? ''),
  }))
  const read = (key: string) => attributes.find((one) => one.key === key)?.value ?? ''
  if (name === 'script') found.push({ kind: 'script', address: read('src') })
  if (FRAMES.has(name)) found.push({ kind: 'iframe', address: read('src') })
  if (name === 'base') found.push({ kind: 'redirect', address: read('href') })
  if (name === 'meta' && /^refresh$/i.test(read('http-equiv'))) {
    found.push({ kind: 'redirect', address: /url\s*=\s*['"]?([^'"\s]+)/i.exec(read('content'))?.[1] ?? '' })
  }
  for (const { key, value } of attributes) {
    const isExternal = IS_EXTERNAL.test(value)
    // Browsers ignore white space and control characters in the scheme.
    const compact = value.replace(/[\s\p{Cc}]/gu, '')
    if (HANDLER.test(key) || SCRIPT_ADDRESS.test(compact)) found.push({ kind: 'script', address: '' })
    else if (FORM_TARGETS.has(key) && isExternal) found.push({ kind: 'form', address: value })
    else if (key === 'href' && name === 'link' && isExternal) found.push({ kind: 'external_style', address: value })
    else if (name === 'script' || FRAMES.has(name)) continue
    else if (MEDIA_ADDRESSES.has(key) || (key === 'href' && LOADING_LINKS.has(name))) {
      const address = key.endsWith('srcset')
        ? value.split(/[\s,]+/).find((part) => IS_EXTERNAL.test(part))
        : isExternal
          ? value
          : undefined
      if (address !== undefined) found.push({ kind: 'external_image', address })
    }
  }
  return found
}

/** Removes the quotes of a JSX expression that is a literal. */
const unquote = (value: string): string => value.trim().replace(/^(["'`])([\s\S]*)\1$/, '$2')

const NAMED: Readonly<Record<string, string>> = { colon: ':', sol: '/', tab: ' ', newline: ' ', lpar: '(', period: '.' }

/**
 * Resolves the character references and backslash escapes that can occur in addresses. Keeps line
 * breaks where they are.
 */
function resolveEscapes(text: string): string {
  return text
    .replace(
      /&#(?:x([0-9a-f]{1,6})|(\d{1,7}));?|&(colon|sol|tab|newline|lpar|period);/gi,
      (all, hex, decimal, name) => {
        const code = hex ? Number.parseInt(hex, 16) : Number(decimal)
        if (name) return NAMED[name.toLowerCase()] ?? all
        return code > 31 && code <= 0x10ffff ? String.fromCodePoint(code) : ' '
      },
    )
    .replace(/\\(?=[:/.()[\]!])/g, '')
}

const toLabel = (label: string): string => label.replace(/\s+/g, ' ').trim().toLowerCase()

function buildLineFinder(text: string): (at: number) => number {
  let [line, seen] = [1, 0]
  return (at) => {
    for (; seen < at; seen += 1) if (text.charCodeAt(seen) === 10) line += 1
    return line
  }
}

function toHost(address: string): string {
  try {
    return new URL(address.trim(), 'https://local.invalid').host.replace(/^local\.invalid$/, '')
  } catch {
    return ''
  }
}
