import { type Dialect, hasMath } from '../pages/dialect.ts'
import type { PageContent } from '../pages/page-content.ts'
import { readPage } from '../pages/read-page.ts'
import { splitFrontmatter } from '../pages/split-frontmatter.ts'
import { decodeText } from '../workspace/text-file.ts'
import { findVueFault } from './find-vue-fault.ts'

/**
 * Reads a page of VitePress as `readPage` does, and compiles it as a Vue template. Never throws.
 */
export function readVuePage(bytes: Uint8Array, dialect: Dialect): PageContent {
  const content = readPage(bytes, dialect)
  const file = decodeText(bytes)
  // Other problems, such as an open code block, change which text is part of the template.
  if (content.unread !== null || content.problems.length > 0 || typeof file === 'string') return content
  const { body, lines } = splitFrontmatter(file.text)
  const fault = findVueFault(body, hasMath(dialect))
  if (fault === null) return content
  // The first error can hide others or be replaced by them, so all of a page count as one problem.
  const problem = { code: 'vue_syntax', line: fault.line + lines, subject: '' } as const
  return { ...content, problems: [{ ...problem, message: `Vue does not compile the page: ${fault.message}` }] }
}
