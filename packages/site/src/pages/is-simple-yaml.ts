const QUOTED = String.raw`(?:"[^"\\]*"|'[^']*')`
const PLAIN = String.raw`[A-Za-z0-9](?:[^:#]|:(?=\S)|(?<=\S)#)*`
/**
 * Matches a key with a quoted value without escapes, a list of such values, a plain value that
 * cannot be anything else, or no value.
 */
const LINE = new RegExp(
  String.raw`^([A-Za-z][\w-]{0,100}):(?: +(?:${QUOTED}|\[ *${QUOTED}(?: *, *${QUOTED})* *\]|${PLAIN}))?$`,
)
/** Keys that YAML may not read as text, so that two of them may be equal. */
const NOT_TEXT = /^(?:null|true|false|y|n|yes|no|on|off)$/i

/**
 * Returns true if the text certainly is a valid YAML map: every line is a key with a plain value,
 * and no key is repeated. Much faster than a parser. Takes linear time.
 */
export function isSimpleYaml(yaml: string): boolean {
  // Other line breaks and spaces have a meaning of their own.
  if (/[^\S \n]/.test(yaml)) return false
  const keys = new Set<string>()
  for (const line of yaml.split('\n')) {
    if (line === '' || line.startsWith('#')) continue
    const key = LINE.exec(line.trimEnd())?.[1]
    if (key === undefined || keys.has(key) || NOT_TEXT.test(key)) return false
    keys.add(key)
  }
  return keys.size > 0
}
