import { dropExtension, dropIndex, isBelow, PAGE, toInner } from '../../pages/paths.ts'
import type { Framework } from '../framework.ts'
import { fromSnippets } from '../include-paths.ts'
import { addMintlifyRedirect, findMintlifyRedirects } from './edit-redirects.ts'
import { MINTLIFY_COMPONENTS } from './mintlify-components.ts'
import { mintlifyIds } from './mintlify-ids.ts'
import { readLanguages } from './read-languages.ts'
import { readMintlify } from './read-mintlify.ts'

export const mintlify: Framework = {
  name: 'mintlify',
  title: 'Mintlify',
  detections: [{ config: /(^|\/)(docs|mint)\.json$/, older: /mint\.json$/ }],
  read: readMintlify,
  dialects: { mdx: 'mdx', md: 'mdx', words: 'MDX, including .md files' },
  components: { builtIn: MINTLIFY_COMPONENTS, isRequired: false },
  rule: 'Mintlify: a navigation entry is the path of the page without its extension.',
  writable: ['**/{docs,mint}.json'],
  isCodeSetting: (key) => /^(?:integrations|analytics|scripts|css|js|head)(?:\.|$)/.test(key),
  hasMath: true,
  readLanguages,
  includes: { snippet: fromSnippets },
  toRoutes: ({ route }) => [dropIndex(route, /^index$/i), route],
  toEntry({ site, like, page }) {
    if (!isBelow(page, site.root)) return null
    const inner = toInner(page, site.root)
    return `${/^\.?\//.exec(like.page)?.[0] ?? ''}${PAGE.test(like.page) ? inner : dropExtension(inner)}`
  },
  headingIds: mintlifyIds,
  checksAbsoluteLinks: true,
  isServedAnywhere: true,
  requiresFrontmatter: true,
  trailingSlash: false,
  acceptsRootPaths: true,
  servesFolders: true,
  partials: /^(?:[^/]+\/)?snippets\//,
  redirects: { findList: findMintlifyRedirects, add: addMintlifyRedirect },
}
