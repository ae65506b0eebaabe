import { dropExtension, toFolder, toName } from '../../pages/paths.ts'
import type { Framework } from '../framework.ts'
import { GITHUB_IDS } from '../github-ids.ts'
import { META } from './find-contents.ts'
import { isAppFolder, toRoute } from './find-routes.ts'
import { readNextra } from './read-nextra.ts'

export const nextra: Framework = {
  name: 'nextra',
  title: 'Nextra',
  detections: [{ config: META, yields: true }],
  read: readNextra,
  dialects: { mdx: 'mdx', md: 'plain', words: '.mdx is MDX, .md is Markdown' },
  components: {
    builtIn: [],
    files: /(?:^|\/)(?:mdx-components|theme\.config)\.[cm]?[jt]sx?$/,
    packages: /^(?:nextra|next(?:\/|$)|react|@mdx-js\/)/,
    isRequired: true,
  },
  rule: 'Nextra: a key in _meta is the name of a page or folder in the same folder.',
  writable: ['**/_meta.{json,yml,yaml}'],
  toRoutes({ content, route }) {
    const own = toRoute(route, isAppFolder(content.folder))
    // The pages of the main language have two URLs.
    const code =
      content.language === null ? /\/content\/([a-z]{2}(?:-[A-Za-z]{2,4})?)$/.exec(`/${content.folder}`)?.[1] : null
    return code ? [own, `${code}/${own}`] : [own]
  },
  toEntry({ like, page }) {
    const toStem = (path: string) => {
      if (/\/page\.[a-z]+$/.test(path)) return toFolder(path)
      const stem = toRoute(dropExtension(path), false)
      return like.page === 'index' ? `${stem}/index` : stem
    }
    const [old, now] = [toStem(like.candidates[0] ?? ''), toStem(page)]
    return toFolder(old) === toFolder(now) ? toName(now) : null
  },
  headingIds: { ...GITHUB_IDS, explicit: { toMark: (id) => `[#${id}]` } },
  showsUnlisted: true,
  checksAbsoluteLinks: true,
  requiresFrontmatter: true,
  trailingSlash: false,
  partials: /(?:^|\/)_/,
}
