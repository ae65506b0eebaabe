import { toName } from '../pages/paths.ts'
import { isPlainText } from './is-plain-text.ts'
import { readTomlData } from './read-toml-data.ts'

/** Fields of a redirect that can be added or changed, per file. */
const FIELDS: Readonly<Record<string, ReadonlySet<string>>> = {
  'vercel.json': new Set(['source', 'destination', 'permanent', 'statusCode', 'has', 'missing']),
  'netlify.toml': new Set(['from', 'to', 'status', 'force', 'query', 'conditions']),
}
const PARAMETER = /^[\w-]+=./
const CONDITION = /^(?:Language|Country|Cookie)=./

/**
 * Compares two versions of `vercel.json`, `netlify.toml`, `book.toml`, `_redirects`, a YAML file or
 * another JSON file. Only redirects may differ, nothing in a YAML file, or in another JSON file, its
 * values. Returns the reason why the
 * change is not allowed, as part of a sentence, or null.
 */
export function findDataViolation(path: string, before: string, after: string): string | null {
  if (before === after) return null
  const name = toName(path)
  if (name === '_redirects') return compareLines(before, after)
  const fields = FIELDS[name]
  if (/\.ya?ml$/i.test(name) || /^(?:hugo|config)\.toml$/.test(name))
    return 'only addresses and paths of pages can be changed'
  if (fields === undefined && !name.endsWith('.toml')) return isJson(after) ? null : 'it would no longer parse'
  const [old, now] = [readData(name, before), readData(name, after)]
  if (old === null) return 'it does not parse'
  if (now === null) return 'it would no longer parse'
  const owner = (data: Data): Data | null => (fields !== undefined ? data : toData(toData(toData(data)?.output)?.html))
  const key = fields === undefined ? 'redirect' : 'redirects'
  const [was, is] = [owner(old)?.[key], owner(now)?.[key]]
  delete owner(old)?.[key]
  delete owner(now)?.[key]
  if (JSON.stringify(old) !== JSON.stringify(now)) return 'only its redirects can be changed'
  return fields === undefined ? compareMap(was, is) : compareList(was, is, fields)
}

type Data = Record<string, unknown>

const toData = (value: unknown): Data | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Data) : null

function readData(name: string, text: string): Data | null {
  try {
    return toData(name.endsWith('.toml') ? readTomlData(text) : JSON.parse(text))
  } catch {
    return null
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

function compareMap(before: unknown, after: unknown): string | null {
  if (before === undefined || toData(after) === null) return 'its redirects would be lost'
  const isText = (value: unknown) => typeof value === 'string' && isPlainText(value)
  return Object.values(toData(after) ?? {}).every(isText) ? null : 'a redirect would not be a path or URL'
}

function compareList(before: unknown, after: unknown, fields: ReadonlySet<string>): string | null {
  if (!Array.isArray(before) || !Array.isArray(after)) return 'it has no list of redirects'
  const toKey = (value: unknown) => JSON.stringify(value)
  const known = new Set(before.map(toKey))
  const kept = new Set(after.map(toKey))
  const changed = [...after.filter((one) => !known.has(toKey(one))), ...before.filter((one) => !kept.has(toKey(one)))]
  return changed.every((one) => isRedirect(one, fields)) ? null : 'an entry would not be a plain redirect'
}

/** Returns false for rewrites, which serve other content under a URL. */
function isRedirect(value: unknown, fields: ReadonlySet<string>): boolean {
  const data = toData(value)
  if (data === null || !Object.keys(data).every((key) => fields.has(key))) return false
  const status = data.status ?? data.statusCode ?? 301
  const target = data.to ?? data.destination
  return /^30[1278]$/.test(String(status)) && typeof target === 'string' && isPlainText(target)
}

/** Accepts `/source [name=value …] target [status] [condition …]`. */
function isRedirectLine(line: string): boolean {
  if (!line.startsWith('/') || /[^\S \t]/.test(line)) return false
  const words = line.trim().split(/[ \t]+/)
  while (words.length > 2 && CONDITION.test(words.at(-1) ?? '')) words.pop()
  if (words.length > 2 && /^30[1278]!?$/.test(words.at(-1) ?? '')) words.pop()
  return words.length > 1 && words.slice(1, -1).every((word) => PARAMETER.test(word))
}

function compareLines(before: string, after: string): string | null {
  const toLines = (text: string) =>
    text.split('\n').filter((line) => line.trim() !== '' && !line.trim().startsWith('#'))
  const [old, now] = [toLines(before), toLines(after)]
  const [known, kept] = [new Set(old), new Set(now)]
  const changed = [...now.filter((line) => !known.has(line)), ...old.filter((line) => !kept.has(line))]
  const wrong = changed.find((line) => !isRedirectLine(line) || !isPlainText(line.trim().split(/\s+/)[1] ?? ''))
  return wrong === undefined
    ? null
    : 'a line would not be a redirect with a source, a destination and an optional status'
}
