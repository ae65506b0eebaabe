/**
 * Formats a value as a replacement with the same quotes as the existing text. Offsets exclude the
 * quotes, as in `NavigationEntry`.
 */
export function quoteLike(
  file: string,
  text: string,
  start: number,
  value: string,
): { replacement: string; quoted: boolean } {
  const quote = text[start - 1]
  if (/\.ya?ml$/i.test(file)) {
    if (quote === '"') return { replacement: JSON.stringify(value).slice(1, -1), quoted: false }
    if (quote === "'") return { replacement: value.replaceAll("'", "''"), quoted: false }
    return isPlainYaml(value)
      ? { replacement: value, quoted: false }
      : { replacement: JSON.stringify(value), quoted: true }
  }
  if (/\.(?:md|rst)$/i.test(file)) return { replacement: value, quoted: false }
  if (quote === '"') return { replacement: JSON.stringify(value).slice(1, -1), quoted: false }
  if (quote === "'" || quote === '`') return { replacement: escapeIn(value, quote), quoted: false }
  // An unquoted JavaScript key.
  return /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(value)
    ? { replacement: value, quoted: false }
    : { replacement: `'${escapeIn(value, "'")}'`, quoted: true }
}

/** Formats a complete string in the file's style, with the given quote. */
export function quoteText(file: string, quote: string, value: string): string {
  if (/\.ya?ml$/i.test(file)) {
    if (quote === "'") return `'${value.replaceAll("'", "''")}'`
    if (quote === '"') return JSON.stringify(value)
    return isPlainYaml(value) ? value : JSON.stringify(value)
  }
  return quote === "'" || quote === '`' ? `${quote}${escapeIn(value, quote)}${quote}` : JSON.stringify(value)
}

function escapeIn(value: string, quote: string): string {
  const escaped = JSON.stringify(value).slice(1, -1).replaceAll('\\"', '"').replaceAll(quote, `\\${quote}`)
  return quote === '`' ? escaped.replaceAll('${', '\\${') : escaped
}

/** Returns true if YAML parses the unquoted value as the same string. */
function isPlainYaml(value: string): boolean {
  if (value === '' || value !== value.trim() || /[\p{Cc}]/u.test(value)) return false
  if (/^[-?:,[\]{}#&*!|>'"%@`]/.test(value) && !/^-[\w]/.test(value)) return false
  if (/:(?:\s|$)|\s#|[,[\]{}]/.test(value)) return false
  return !/^(?:true|false|yes|no|on|off|null|~|[-+.\d][\d_.:eExo+-]*)$/i.test(value)
}
