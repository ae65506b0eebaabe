import { parseDocument } from 'yaml'
import { MAX_YAML_DEPTH, measureYamlDepth } from '../pages/measure-yaml-depth.ts'
import type { PageCode } from './page-code.ts'

const MAX_ALIASES = 100
/** Values whose line is searched. Further values are reported at the first line. */
const MAX_LOCATED = 200

/**
 * Lists the values of a YAML or JSON file whose keys `isCode` matches. A key is written as
 * `plugins.search.lang`, without the positions in lists. Lists the whole text if it cannot be read.
 */
export function listSettingCode(text: string, isCode: (key: string) => boolean): PageCode[] {
  const found: PageCode[] = []
  const lines = text.split('\n')
  const add = (key: string, value: unknown) => {
    const [name, text] = [key.slice(key.lastIndexOf('.') + 1), String(value)]
    const rows = [(row: string) => row.includes(name) && row.includes(text), (row: string) => row.includes(text)]
    const index = found.length < MAX_LOCATED ? rows.map((test) => lines.findIndex(test)).find((one) => one >= 0) : 0
    found.push({ kind: 'build-settings', line: (index ?? 0) + 1, source: `${key} ${JSON.stringify(value)}` })
  }
  const read = (key: string, value: unknown) => {
    if (Array.isArray(value)) for (const one of value) read(key, one)
    else if (typeof value === 'object' && value !== null && Object.keys(value).length > 0) {
      for (const [name, one] of Object.entries(value)) read(key === '' ? name : `${key}.${name}`, one)
    } else if (key === '' || isCode(key)) add(key, toValue(value))
  }
  try {
    if (measureYamlDepth(text) > MAX_YAML_DEPTH) throw new RangeError('nested too deeply')
    // Parsers of the configuration also resolve merge keys.
    const document = parseDocument(text, { logLevel: 'silent', uniqueKeys: false, merge: true })
    if (document.errors.length > 0 || /^(?:---|\.\.\.)(?:\s|$)/m.test(text.trimStart().replace(/^---/, '')))
      throw new SyntaxError('not valid YAML')
    read('', document.toJS({ maxAliasCount: MAX_ALIASES }) ?? {})
  } catch {
    found.push({ kind: 'build-settings', line: 1, source: text })
  }
  return found
}

/** A page that moves keeps its meaning in the settings. */
const toValue = (value: unknown): unknown =>
  typeof value === 'string' && /^[\w./ -]{1,500}\.(?:md|mdx)(?:#[\w-]*)?$/i.test(value) ? 'a page' : value
