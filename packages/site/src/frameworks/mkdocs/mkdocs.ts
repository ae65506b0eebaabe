import type { ConfigFile } from '../../config/config-files.ts'
import { findProperty, type Literal, toItems } from '../../config/literal.ts'
import { addToMap } from '../../edit/add-to-redirects.ts'
import { dropIndex, isBelow, toInner } from '../../pages/paths.ts'
import type { Framework } from '../framework.ts'
import { mkdocsIds } from './mkdocs-ids.ts'
import { readMkdocs } from './read-mkdocs.ts'

export const mkdocs: Framework = {
  name: 'mkdocs',
  title: 'MkDocs',
  detections: [{ config: /(^|\/)mkdocs\.ya?ml$/ }],
  read: readMkdocs,
  dialects: { mdx: 'mdx', md: 'plain', words: 'Markdown' },
  rule: 'MkDocs: a nav entry is a path relative to the docs folder, with .md. Links between pages are relative file paths.',
  writable: ['**/mkdocs.{yml,yaml}'],
  toRoutes: ({ route }) => [dropIndex(route, /^(?:index|readme)$/i)],
  toEntry: ({ like, page, content }) =>
    content === null ? null : `${/^\.\//.exec(like.page)?.[0] ?? ''}${toInner(page, content.folder)}`,
  headingIds: mkdocsIds,
  checksAbsoluteLinks: false,
  addsPages: true,
  redirects: {
    findList,
    add: (file, { source, destination }) => addToMap(file, findList(file), source, destination),
    // The redirects plugin names pages by their paths in the docs folder.
    toName(site, page) {
      const docs = site.content[0]?.folder ?? ''
      return isBelow(page, docs) ? toInner(page, docs) : null
    },
  },
}

/** Finds the redirects plugin's `redirect_maps`. The plugins are either a map or a list. */
function findList(file: ConfigFile): Literal | null {
  const plugins = findProperty(file.literal, 'plugins')
  for (const item of [plugins, ...toItems(plugins)]) {
    const map = findProperty(item, 'redirects', 'redirect_maps')
    if (map !== null) return map
  }
  return null
}
