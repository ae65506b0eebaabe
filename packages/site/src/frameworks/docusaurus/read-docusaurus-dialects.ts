import type { ConfigFiles } from '../../config/config-files.ts'
import { findProperty, findText, type Literal } from '../../config/literal.ts'
import type { Dialects } from '../framework.ts'
import { readMajorVersion } from '../read-major-version.ts'

/**
 * Reads the dialects of a Docusaurus site. Docusaurus 3 compiles every page as MDX unless
 * `markdown.format` says otherwise, and accepts HTML comments unless a setting turns them off. Older
 * versions use MDX 1, which accepts almost any Markdown.
 */
export async function readDocusaurusDialects(files: ConfigFiles, config: string): Promise<Dialects> {
  const version = await readMajorVersion(files, config, '@docusaurus/core')
  if (version !== null && version < 3) return { mdx: 'plain', md: 'plain', code: 'mdx-comments' }
  const file = await files.open(config)
  const { literal } = file === null ? { literal: null } : await files.evaluate(file)
  const format = findText(literal, 'markdown', 'format')
  if (format === 'md') return { mdx: 'plain', md: 'plain' }
  const setting = findProperty(literal, 'markdown', 'mdx1Compat', 'comments')
  const v4 =
    findProperty(literal, 'future', 'v4', 'mdx1CompatDisabledByDefault') ?? findProperty(literal, 'future', 'v4')
  const isOff = setting === null ? isBoolean(v4, true) : isBoolean(setting, false)
  const mdx = isOff ? 'mdx-directives' : 'mdx-comments'
  return { mdx, md: format === 'detect' ? 'plain' : mdx }
}

const isBoolean = (literal: Literal | null, value: boolean): boolean =>
  literal?.kind === 'scalar' && literal.value === value
