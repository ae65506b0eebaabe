import { z } from 'zod'
import { isPlain, plain } from './text-rules.ts'

/**
 * A path pattern. `*` and `?` match within a folder, `**` matches across folders, and `[a-z]` and
 * `{a,b}` match alternatives. Case is ignored.
 */
export const PathGlob = z
  .string()
  .trim()
  .min(1)
  .max(300)
  .refine(isPlain, plain)
  .refine((glob) => !/^[/!]|^\.{1,2}\/|\\|(^|\/)\.\.(\/|$)/.test(glob), {
    message: 'must be a pattern relative to the repository root, such as docs/** or **/*.mdx, without a leading / or !',
  })
  .refine(hasClosedBraces, { message: 'has an unmatched "{" or "}", or more than five levels of nested braces' })

function hasClosedBraces(glob: string): boolean {
  let depth = 0
  for (const char of glob) {
    if (char === '{') depth += 1
    if (char === '}') depth -= 1
    if (depth < 0 || depth > 5) return false
  }
  return depth === 0
}
