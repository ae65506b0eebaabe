import { parseDocument } from 'yaml'
import { toPlain } from '../task/tree.ts'
import { toPage } from './read-navigation.ts'

/**
 * Returns true if the file redirects `from` to `to`. Reads docs.json, vercel.json,
 * `_redirects` and the redirects plugin in mkdocs.yml.
 */
export function hasRedirect(file: string, raw: string, wanted: { from: string; to: string }): boolean {
  return readRedirects(file, toPlain(raw)).some(
    ([from, to]) => toPage(from) === toPage(wanted.from) && toPage(to) === toPage(wanted.to),
  )
}

function readRedirects(file: string, text: string): (readonly [string, string])[] {
  if (file.endsWith('_redirects')) {
    return text.split('\n').map((line) => {
      const [from = '', to = ''] = line.trim().split(/\s+/)
      return [from, to] as const
    })
  }
  const value = read(file, text)
  if (file.endsWith('.json')) {
    const rows = Array.isArray(value?.redirects) ? value.redirects : []
    return rows.map((row) => [String(Object(row).source), String(Object(row).destination)] as const)
  }
  const plugins = Array.isArray(value?.plugins) ? value.plugins : []
  return plugins.flatMap((plugin) =>
    Object.entries(Object(Object(Object(plugin).redirects).redirect_maps)).map(
      ([from, to]) => [from, String(to)] as const,
    ),
  )
}

function read(file: string, text: string): Record<string, unknown> | null {
  try {
    const value: unknown = file.endsWith('.json')
      ? JSON.parse(text)
      : parseDocument(text, { logLevel: 'silent' }).toJS()
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null
  } catch {
    return null
  }
}
