import { dropExtension, dropIndex, toFolder, toName } from '../../pages/paths.ts'
import type { Framework } from '../framework.ts'
import { GITHUB_IDS } from '../github-ids.ts'
import { META, readNextra } from './read-nextra.ts'

export const nextra: Framework = {
  name: 'nextra',
  title: 'Nextra',
  detections: [{ config: META, yields: true }],
  read: readNextra,
  dialects: { mdx: 'mdx', md: 'mdx', words: 'MDX, including .md files' },
  rule: 'Nextra: a key in _meta is the name of a page or folder in the same folder.',
  writable: ['**/_meta.{json,yml,yaml}'],
  toRoutes({ content, route }) {
    // Folders in parentheses group routes and are not part of URLs.
    const visible = route.replace(/(^|\/)\([^/)]*\)(?=\/|$)/g, '')
    return [dropIndex(visible, content.folder.endsWith('app') ? /^page$/ : /^index$/)]
  },
  toEntry({ like, page }) {
    const isApp = /\/page\.[a-z]+$/.test(like.candidates[0] ?? '')
    const named = isApp ? toFolder(page) : dropExtension(page)
    return toFolder(named) === toFolder(like.file) ? toName(named) : null
  },
  headingIds: { ...GITHUB_IDS, explicit: { toMark: (id) => `[#${id}]` } },
  showsUnlisted: true,
  checksAbsoluteLinks: true,
}
