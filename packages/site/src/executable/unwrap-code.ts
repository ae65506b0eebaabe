/**
 * Replaces code blocks with the language `mdx-code-block` by their content, as Docusaurus does. The
 * lines of the fences become empty.
 */
export function unwrapCode(text: string): string {
  return text.includes('mdx-code-block') ? unwrap(unwrap(text, '```'), '````') : text
}

function unwrap(text: string, fence: string): string {
  const opening = new RegExp(`^ *${fence} *mdx-code-block$`)
  const closing = new RegExp(`^ *${fence}$`)
  const lines = text.split('\n')
  const last = lines.findLastIndex((line) => closing.test(line))
  let open = -1
  for (const [at, line] of lines.entries()) {
    if (open < 0 && at < last && opening.test(line)) open = at
    else if (open >= 0 && closing.test(line)) {
      lines[open] = ''
      lines[at] = ''
      open = -1
    }
  }
  return lines.join('\n')
}
