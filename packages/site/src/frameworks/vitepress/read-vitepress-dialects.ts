import type { ConfigFiles } from '../../config/config-files.ts'
import type { Dialects } from '../framework.ts'

/** Matches settings that change which text is HTML or an expression. */
const OTHER_SYNTAX = /\bdelimiters\b|\bhtml:\s{0,9}false/
/** Matches settings and plugins of formulas, in which `{{` is text. */
const MATH = /katex|mathjax|\bmath\s{0,9}:(?!\s{0,9}false)/i

/** Reads the dialects of a VitePress site, whose pages become Vue templates. */
export async function readVitepressDialects(files: ConfigFiles, config: string): Promise<Dialects> {
  const file = await files.open(config)
  const { modules } = file === null ? { modules: [] } : await files.evaluate(file)
  const matches = (pattern: RegExp) => modules.some(({ text }) => pattern.test(text))
  if (matches(OTHER_SYNTAX)) return { mdx: 'mdx', md: 'plain', code: 'vue' }
  return { mdx: 'mdx', md: matches(MATH) ? 'vue-math' : 'vue' }
}
