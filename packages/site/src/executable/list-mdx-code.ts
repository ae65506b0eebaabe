import type { ModuleDeclaration, Statement } from 'acorn'
import { listComments } from '../pages/blank-comments.ts'
import { boundAcorn } from '../pages/bound-acorn.ts'
import { type Dialect, hasComments } from '../pages/dialect.ts'
import { parsePage } from '../pages/parse-page.ts'
import { isData, isDataNode } from './is-data.ts'
import { buildLineFinder, isPassiveModule, type PageCode, resolvePaths } from './page-code.ts'

const EXPRESSION =
  /^mdx(?:(?:Flow|Text)Expression|Jsx(?:Flow|Text)Tag(?:AttributeValueExpression|ExpressionAttribute))$/
/** Matches the lines that can contain code if a page cannot be parsed. */
const SUSPECT = /[{}]|^\s*(?:import|export)\b|<\s*script\b/i

/** What the code of a page may refer to, and the syntax of its site. */
interface MdxPlace {
  /** The page's folder, which relative paths refer to. */
  readonly folder: string
  /** Returns true for the path of a file that pages may include. */
  isInside(path: string): boolean
}

/**
 * Lists the imports, exports and expressions of an MDX page, except literals. For a page that
 * cannot be parsed, lists every line that may contain one. Synchronous CPU work, about 2 s per MB.
 */
export function listMdxCode(text: string, dialect: Dialect, place: MdxPlace): PageCode[] {
  const unwrapped = unwrapCode(text)
  return [
    ...listParsedCode(text, dialect, place),
    ...(unwrapped === text ? [] : listParsedCode(unwrapped, dialect, place)),
    ...(hasComments(dialect) ? listCommentedCode(text, place) : []),
  ]
}

/** Lists comments that contain what may be code, because parsers end comments at different places. */
function listCommentedCode(text: string, { folder }: MdxPlace): PageCode[] {
  const toLine = buildLineFinder(text)
  return listComments(text).flatMap(({ start, end }) => {
    const comment = text.slice(start, end)
    return /[{}]|^[^\S\n]*(?:import|export)\b/m.test(comment) ? [toCode(comment, toLine(start), folder)] : []
  })
}

function listParsedCode(text: string, dialect: Dialect, place: MdxPlace): PageCode[] {
  const { folder } = place
  const modules: { readonly code: string; readonly line: number }[] = []
  const expressions: { readonly code: string; readonly line: number }[] = []
  try {
    for (const [when, token, context] of parsePage(text, dialect, { hasToml: false }).events) {
      // MDX adds token types.
      const type: string = token.type
      if (when === 'exit') continue
      const list = type === 'mdxjsEsm' ? modules : EXPRESSION.test(type) ? expressions : null
      list?.push({ code: context.sliceSerialize(token), line: token.start.line })
    }
    const names = new Set<string>()
    const statements = modules.flatMap(({ code, line }) => listStatements(code, line, place, names))
    const open = expressions.filter(({ code }) => !isData(code.replace(/^\{|\}$/g, ''), names))
    return [...statements, ...open.map(({ code, line }) => toCode(code, line, folder))]
  } catch {
    return text.split('\n').flatMap((row, at) => (SUSPECT.test(row) ? [toCode(row, at + 1, folder)] : []))
  }
}

const toCode = (code: string, line: number, folder: string): PageCode => ({
  kind: 'mdx-code',
  line,
  source: resolvePaths(code, folder),
})

function listStatements(code: string, line: number, { folder, isInside }: MdxPlace, names: Set<string>): PageCode[] {
  const { body } = boundAcorn().parse(code, { ecmaVersion: 2024, sourceType: 'module' })
  return body.flatMap((node): PageCode[] => {
    for (const name of listNames(node)) names.add(name)
    const at = line + code.slice(0, node.start).split('\n').length - 1
    // Two imports of a module run the same code, whatever they name.
    if (node.type === 'ImportDeclaration') {
      const path = String(node.source.value)
      if (!isPassiveModule(path)) return [toCode(`import ${JSON.stringify(path)}`, at, folder)]
      // The page then contains the text of the file.
      const isText = /\.(?:mdx?|markdown)$/i.test(path)
      return isText && !isInside(path) ? [{ kind: 'includes', line: at, source: toCode(path, at, folder).source }] : []
    }
    const data = listData(node, names)
    if (data !== null) return data.map((name) => toCode(`export const ${name}`, at, folder))
    return [toCode(code.slice(node.start, node.end), at, folder)]
  })
}

/** Returns the names that an export gives to literals; null for other statements. */
function listData(node: Statement | ModuleDeclaration, names: ReadonlySet<string>): string[] | null {
  if (node.type !== 'ExportNamedDeclaration' || node.declaration?.type !== 'VariableDeclaration') return null
  const found = node.declaration.declarations.map(({ id, init }) =>
    id.type === 'Identifier' && (init == null || isDataNode(init, names)) ? id.name : null,
  )
  return found.includes(null) ? null : found.filter((name) => name !== null)
}

/** Returns the variables that a statement defines. */
function listNames(node: Statement | ModuleDeclaration): string[] {
  if (node.type === 'ImportDeclaration') return node.specifiers.map(({ local }) => local.name)
  if (node.type !== 'ExportNamedDeclaration' || node.declaration?.type !== 'VariableDeclaration') return []
  return node.declaration.declarations.flatMap(({ id }) => (id.type === 'Identifier' ? [id.name] : []))
}

/**
 * Replaces code blocks with the language `mdx-code-block` by their content, as Docusaurus does. The
 * lines of the fences become empty.
 */
function unwrapCode(text: string): string {
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
