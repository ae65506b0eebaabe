import { parse as parseToml } from 'smol-toml'
import ts from 'typescript-parser'
import { parseDocument } from 'yaml'
import { readPage } from '../model/read-page.ts'

export interface Scalar {
  /** Names of the keys that lead to the value, joined by dots. */
  readonly pointer: string
  readonly value: string
}

/** Reads the string values of a navigation or configuration file; returns null if it does not parse. */
export function readScalars(path: string, text: string): Scalar[] | null {
  if (/\.(?:[cm]?[jt]sx?)$/.test(path)) return readScript(path, text)
  if (/\.mdx?$/.test(path)) return readPage(path, text).links.map(({ href }) => ({ pointer: 'link', value: href }))
  if (/_redirects$/.test(path)) return readRows(text)
  try {
    if (/(?:^|\/)_?meta\.json$/.test(path)) {
      const value = readJson(text)
      return [...Object.keys(Object(value)).map(toKeyScalar), ...flatten(value, '')]
    }
    if (path.endsWith('.toml')) return flatten(parseToml(text), '')
    if (path.endsWith('.json')) return flatten(readJson(text), '')
    const document = parseDocument(text, { logLevel: 'silent' })
    return document.errors.length > 0 ? null : flatten(document.toJS({ maxAliasCount: 1_000 }), '')
  } catch {
    return null
  }
}

/** Nextra's entries are keys; their values are titles. */
function toKeyScalar(value: string): Scalar {
  return { pointer: '', value }
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    const { config, error } = ts.parseConfigFileTextToJson('x.json', text)
    if (error !== undefined) throw new Error('not JSON')
    return config
  }
}

function flatten(value: unknown, pointer: string): Scalar[] {
  if (typeof value === 'string') return [{ pointer, value }]
  if (Array.isArray(value)) return value.flatMap((item) => flatten(item, pointer))
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, item]) => flatten(item, pointer === '' ? key : `${pointer}.${key}`))
}

/** Reads the destinations of `source destination status` rows. */
function readRows(text: string): Scalar[] {
  return text.split('\n').flatMap((row) => {
    const [source = '', value] = row.trim().split(/\s+/)
    return value === undefined || source.startsWith('#') ? [] : [{ pointer: 'redirects.destination', value }]
  })
}

function readScript(path: string, text: string): Scalar[] | null {
  const { diagnostics } = ts.transpileModule(text, {
    fileName: toKind(path) === ts.ScriptKind.TS ? 'x.ts' : 'x.tsx',
    reportDiagnostics: true,
    compilerOptions: { jsx: ts.JsxEmit.Preserve, allowJs: true },
  })
  if ((diagnostics ?? []).length > 0) return null
  const scalars: Scalar[] = []
  const visit = (node: ts.Node, pointer: string) => {
    if (ts.isStringLiteralLike(node)) scalars.push({ pointer, value: node.text })
    const name = ts.isPropertyAssignment(node) ? node.name.getText().replaceAll(/["']/g, '') : null
    if (name !== null && /(?:^|\/)_meta\b/.test(path)) scalars.push(toKeyScalar(name))
    ts.forEachChild(node, (child) => {
      const isKey = ts.isPropertyAssignment(node) && child === node.name
      if (!isKey) visit(child, name === null ? pointer : `${pointer}.${name}`)
    })
  }
  visit(ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true, toKind(path)), '')
  return scalars
}

function toKind(path: string): ts.ScriptKind {
  return /x$/.test(path) ? ts.ScriptKind.TSX : /[cm]?js$/.test(path) ? ts.ScriptKind.JSX : ts.ScriptKind.TS
}
