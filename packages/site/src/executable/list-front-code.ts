import { splitFrontmatter } from '../pages/split-frontmatter.ts'
import { listYamlTags } from './list-yaml-tags.ts'
import type { PageCode } from './page-code.ts'

/** Parsers of front matter evaluate a block whose opening line names a programming language. */
const LANGUAGE = /^\uFEFF?---[ \t]*([A-Za-z]\w{0,30})[^\n]{0,200}\n/
const IS_DATA = /^(?:ya?ml|toml|json5?)$/i
/** Front matter that adds elements to the page's head. */
const HEAD = /^(?:"head"|'head'|head)[ \t]*:(?:[^\n]*\n)(?:(?:[ \t#-][^\n]*)?\n)*/m
const SCRIPT = /script|\bon[a-z]{3,}["']?[ \t]*:|data:text\/html/i

/** Lists the code in front matter: tags, front matter in other languages, and scripts. */
export function listFrontCode(text: string): PageCode[] {
  const language = LANGUAGE.exec(text)
  if (language !== null && !IS_DATA.test(language[1] ?? '')) {
    const end = text.indexOf('\n---', language[0].length)
    return [{ kind: 'front-matter-code', line: 1, source: text.slice(0, end < 0 ? text.length : end) }]
  }
  const { yaml } = splitFrontmatter(text)
  if (yaml === null) return []
  const head = HEAD.exec(`${yaml}\n`)
  return [
    ...listYamlTags(yaml, 2),
    ...(head !== null && SCRIPT.test(head[0])
      ? [
          {
            kind: 'front-matter-code' as const,
            line: 1 + yaml.slice(0, head.index).split('\n').length,
            source: head[0].trim(),
          },
        ]
      : []),
  ]
}
