/** Longer files are truncated before they are cleaned. */
const MAX_CHARS = 262_144

/** Elements whose content is not visible on the rendered page. */
const NOT_RENDERED = /^(script|style|template|noscript)$/i
const HIDDEN =
  /\shidden(?:[\s=/>]|$)|(?:display\s{0,9}:\s{0,9}none|visibility\s{0,9}:\s{0,9}hidden|font-size\s{0,9}:\s{0,9}0|opacity\s{0,9}:\s{0,9}0(?![.\d]))/i

/**
 * Reduces an instruction file to the text that is visible on the rendered page. Content that is
 * hidden from readers must not steer the agent. Removes HTML and MDX comments, hidden elements,
 * unused link definitions (`[//]: # (…)`) and invisible characters. This also applies in code
 * blocks, because removing hidden content takes precedence over showing an example. Collapsed
 * content (`<details>`) is kept, because readers can open it.
 */
export function cleanInstructions(text: string): string {
  const plain = text
    .slice(0, MAX_CHARS)
    .replace(/\r\n?|[\u2028\u2029\u0085]/g, '\n')
    // Removes zero-width, bidirectional, tag and filler characters, and variation selectors.
    .replace(/[\p{Cf}\p{Default_Ignorable_Code_Point}\u{E0000}-\u{E0FFF}\u2800]/gu, '')
    .replace(/[^\P{Cc}\n\t]/gu, '')
  const tight = plain
    .replace(/\{\s{1,20}\/\*/g, '{/*')
    .replace(/\*\/\s{1,20}\}/g, '*/}')
    .replace(/\{\s{0,20}\/\/[^\n]*(\n\s{0,20}\})?/g, (all, end) => (end === undefined ? all : ''))
  const shown = dropBetween(dropBetween(tight, '<!--', '-->'), '{/*', '*/}')
  return dropDefinitions(dropHiddenElements(shown)).toWellFormed().trim()
}

/** Removes the text between two delimiters. An unclosed delimiter removes the rest of the text. */
function dropBetween(text: string, open: string, close: string): string {
  let kept = ''
  let at = 0
  for (let start = text.indexOf(open); start !== -1; start = text.indexOf(open, at)) {
    kept += text.slice(at, start)
    const end = text.indexOf(close, start + open.length)
    if (end === -1) return kept
    at = end + close.length
  }
  return kept + text.slice(at)
}

const MAX_TAG = 2_000

function dropHiddenElements(text: string): string {
  const lower = text.toLowerCase()
  let kept = ''
  let at = 0
  let [read, tagEnd] = [0, 0]
  for (const { 1: name = '', index } of text.matchAll(/<([a-z][a-z0-9-]{0,40})(?=[\s/>])/gi)) {
    if (index < Math.max(at, read)) continue
    if (tagEnd <= index) tagEnd = text.indexOf('>', index) + 1
    if (tagEnd === 0) break
    if (tagEnd - index > MAX_TAG) continue
    read = tagEnd
    const whole = text.slice(index, tagEnd)
    if (!(NOT_RENDERED.test(name) || HIDDEN.test(whole))) continue
    kept += text.slice(at, index)
    const inner = tagEnd
    if (whole.endsWith('/>')) {
      at = inner
      continue
    }
    const end = lower.indexOf(`</${name.toLowerCase()}`, inner)
    if (end === -1) return kept
    const close = text.indexOf('>', end)
    at = close === -1 ? text.length : close + 1
  }
  return kept + text.slice(at)
}

/**
 * Removes link definitions that are unused or have no target. A definition is visible only through
 * its references.
 */
function dropDefinitions(text: string): string {
  const lines = text.split('\n')
  const used = new Set<string>()
  for (const [, label = ''] of text.matchAll(/\[([^[\]\n]{1,200})\](?!:)/g)) used.add(label.trim().toLowerCase())
  return lines
    .flatMap((line) => {
      const [, label = '', target = ''] = /^ {0,3}\[([^[\]\n]{1,200})\]:\s*(\S*)/.exec(line) ?? []
      if (label === '' || label.startsWith('^')) return [line]
      const hasNoTarget = ['', '#', '<>', '<#>'].includes(target)
      // A link title is visible only on hover, so it is removed.
      return hasNoTarget || !used.has(label.trim().toLowerCase()) ? [] : [`[${label}]: ${target}`]
    })
    .join('\n')
}
