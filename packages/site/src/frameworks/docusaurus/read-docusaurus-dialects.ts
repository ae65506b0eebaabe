import type { ConfigFiles } from '../../config/config-files.ts'
import { findText } from '../../config/literal.ts'
import type { Dialects } from '../framework.ts'
import { readMajorVersion } from '../read-major-version.ts'

const MDX: Dialects = { mdx: 'mdx-directives', md: 'mdx-directives' }

/**
 * Reads the dialects of a Docusaurus site. Docusaurus 3 compiles every page as MDX unless
 * `markdown.format` says otherwise. Older versions use MDX 1, which accepts almost any Markdown.
 */
export async function readDocusaurusDialects(files: ConfigFiles, config: string): Promise<Dialects> {
  const version = await readMajorVersion(files, config, '@docusaurus/core')
  if (version !== null && version < 3) return { mdx: 'plain', md: 'plain', code: 'mdx-directives' }
  const file = await files.open(config)
  if (file === null) return MDX
  const { literal } = await files.evaluate(file)
  const format = findText(literal, 'markdown', 'format')
  if (format === 'md') return { mdx: 'plain', md: 'plain' }
  return format === 'detect' ? { ...MDX, md: 'plain' } : MDX
}
