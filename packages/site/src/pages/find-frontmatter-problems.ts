import { isMap, LineCounter, parseDocument } from 'yaml'
import { isSimpleYaml } from './is-simple-yaml.ts'
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
