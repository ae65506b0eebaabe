import { drawing, groups, handbook, images, pagesIn } from './handbook.ts'
import { frontmatter, renderPage } from './render-page.ts'

/** Nextra with pages in `content/` and `_meta` files of several kinds. */
export function nextraSite(): Record<string, string> {
  const files: Record<string, string> = {
    'package.json': '{ "name": "harbour", "private": true }\n',
    'next.config.mjs': "import nextra from 'nextra'\n\nexport default nextra({ search: true })({ output: 'export' })\n",
  }
  for (const page of handbook) {
    files[`content/${page.slug}.mdx`] = renderPage(page, {
      link: (target) => `/${target === 'index' ? '' : target}`,
      image: (name) => `/${name}`,
      head: (shown) => frontmatter(shown),
    })
  }
  files['content/guides/callouts.mdx'] = `import { Callout } from 'nextra/components'

# Callouts

<Callout type="info">
  Read [install](/guides/install#requirements).
</Callout>

<a href="/help/faq">Answers</a>
`
  for (const name of images) files[`public/${name}`] = drawing(name)
  files['content/_meta.js'] = `export default {
  index: 'Introduction',
${groups.map(({ name, folder }) => `  ${folder}: { title: '${name}', type: 'page' },`).join('\n')}
  community: { title: 'Community', type: 'page', href: 'https://harbour.example/community' },
}
`
  files['content/guides/_meta.ts'] = `import type { MetaRecord } from 'nextra'

const meta: MetaRecord = {
${pagesIn('guides')
  .map((page) => `  ${page.slug.split('/')[1]}: '${page.title}',`)
  .join('\n')}
  '--': { type: 'separator' },
  callouts: { title: 'Callouts', display: 'hidden' },
}

export default meta
`
  files['content/reference/_meta.json'] = `${JSON.stringify(
    Object.fromEntries(pagesIn('reference').map((page) => [page.slug.split('/')[1], page.title])),
    null,
    2,
  )}\n`
  return files
}
