import { isMap, LineCounter, parseDocument } from 'yaml'
import { MAX_YAML_DEPTH, measureYamlDepth } from './measure-yaml-depth.ts'
import type { PageProblem } from './page-content.ts'
import { MAX_FRONTMATTER, splitFrontmatter } from './split-frontmatter.ts'

/** Returns the problems in a Markdown file's YAML front matter. */
export function findFrontmatterProblems(text: string): PageProblem[] {
  const problem = (code: string, line: number | null, subject: string, message: string): PageProblem[] => [
    { code, line, subject, message },
  ]
  const { yaml, unclosed } = splitFrontmatter(text)
  if (unclosed)
    return problem('frontmatter_unclosed', 1, '', 'The front matter is not closed. Add a "---" line after it.')
  if (yaml === null || yaml.trim() === '') return []
  if (yaml.length > MAX_FRONTMATTER)
    return problem('frontmatter_too_large', 1, '', 'The front matter is larger than 64 KB.')
  if (isSimpleYaml(yaml)) return []
  if (measureYamlDepth(yaml) > MAX_YAML_DEPTH)
    return problem('frontmatter_too_deep', 2, '', `The front matter has more than ${MAX_YAML_DEPTH} levels of nesting.`)

  const lines = new LineCounter()
  const document = parseDocument(yaml, { lineCounter: lines, prettyErrors: false, logLevel: 'silent' })
  const error = document.errors[0]
  if (error !== undefined) {
    // Adds one line for the opening fence.
    const line = lines.linePos(error.pos[0]).line + 1
    return problem(
      'frontmatter_invalid',
      line,
      error.code,
      `The front matter is not valid YAML: ${firstLine(error.message)}`,
    )
  }
  // A block of comments is empty front matter.
  if (document.contents === null) return []
  if (!isMap(document.contents)) {
    return problem('frontmatter_not_a_map', 2, '', 'The front matter must consist of "key: value" lines.')
  }
  try {
    document.toJS({ maxAliasCount: 100 })
  } catch {
    return problem('frontmatter_aliases', 2, '', 'The front matter contains unknown YAML aliases or too many aliases.')
  }
  return []
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? text
}

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
