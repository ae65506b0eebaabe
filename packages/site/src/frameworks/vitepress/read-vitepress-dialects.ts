import type { ConfigFiles } from '../../config/config-files.ts'
import type { Dialects } from '../framework.ts'

/**
 * Matches settings that change which text is HTML or an expression: other delimiters, no HTML in
 * Markdown, and formulas, in which `{{` is text.
 */
const OTHER_SYNTAX = /\bdelimiters\b|\bhtml:\s*false|katex|mathjax|\bmath\s*:/i

/** Reads the dialects of a VitePress site, whose pages become Vue templates. */
export async function readVitepressDialects(files: ConfigFiles, config: string): Promise<Dialects> {
  const file = await files.open(config)
  const { modules } = file === null ? { modules: [] } : await files.evaluate(file)
  return { mdx: 'mdx', md: modules.some(({ text }) => OTHER_SYNTAX.test(text)) ? 'plain' : 'vue' }
}
