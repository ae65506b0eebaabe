import { dropExtension, isBelow, PAGE, toFolder, toInner, toRelative } from '../../pages/paths.ts'
import type { Framework } from '../framework.ts'
import { fromDocument } from '../include-paths.ts'
import { readSphinx } from './read-sphinx.ts'

export const sphinx: Framework = {
  name: 'sphinx',
  title: 'Sphinx',
  detections: [{ config: /(^|\/)conf\.py$/ }],
  read: readSphinx,
  dialects: { mdx: 'mdx', md: 'plain', words: 'MyST Markdown' },
  rule: 'Sphinx: a toctree entry is the path of the page without its extension.',
  writable: [],
  isTemplate: (path) => /(?:^|\/)_?templates\//.test(path),
  notations: ['directive'],
  hides: ['percent'],
  includes: { directive: fromDocument },
  blocks: ['colons'],
  toRoutes: () => [],
  toEntry({ site, like, page }) {
    if (!isBelow(page, site.root)) return null
    const path = like.page.startsWith('/') ? `/${toInner(page, site.root)}` : toRelative(toFolder(like.file), page)
    return PAGE.test(like.page) ? path : dropExtension(path)
  },
  toReference: (written) => /^\{doc\}`(?:[^`<]*<)?([^`<>]+)>?`$/.exec(written)?.[1] ?? null,
  checksAbsoluteLinks: 'images',
  sharesAnchors: true,
  templatesAreText: true,
}
