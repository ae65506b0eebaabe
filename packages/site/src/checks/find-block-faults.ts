import { findContent, findSite } from '../frameworks/find-site.ts'
import type { Site } from '../frameworks/framework.ts'
import type { OpenBlock } from '../pages/open-block.ts'
import type { PageContent } from '../pages/page-content.ts'
import type { Problem } from '../pages/problem.ts'

/**
 * Returns the blocks of a page that are not closed and, by the rules of its framework, must be.
 * @param pairs shortcodes that are always closed in the base commit
 */
export function findBlockFaults(
  sites: readonly Site[],
  path: string,
  { openBlocks }: PageContent,
  pairs: ReadonlySet<string>,
): Problem[] {
  if (openBlocks.length === 0) return []
  const site = findSite(sites, path)
  const { blocks = [] } = site.framework
  if (findContent(site, path) === null) return []
  return openBlocks.flatMap((block) => {
    if (!blocks.includes(block.form) || (block.form === 'shortcodes' && !pairs.has(block.name))) return []
    return [{ check: 'syntax', path, line: block.line, subject: block.name, ...toFault(block) }]
  })
}

function toFault({ form, name, end }: OpenBlock): Pick<Problem, 'code' | 'message'> {
  const shown = JSON.stringify(name).slice(1, -1)
  if (form === 'indent') {
    const message = `The text below "${shown}" is not part of it. Indent the text by four spaces.`
    return { code: 'block_empty', message }
  }
  const message = `The ${form === 'shortcodes' ? 'shortcode' : 'block'} "${shown}" is not closed. Add a line "${end}" after its content.`
  return { code: form === 'shortcodes' ? 'shortcode_unclosed' : 'block_unclosed', message }
}
