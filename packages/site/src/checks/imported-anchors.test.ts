import { buildMemoryWorkspace, type Files } from '@corrigenda/git/internal/test-support/memory-workspace'
import { expect, it } from 'vitest'
import { buildChecker } from './build-checker.ts'

const STARLIGHT: Files = {
  'astro.config.mjs': "import a from '@astrojs/starlight'\nexport default { integrations: [a({})] }",
  'src/content/docs/b.mdx': '---\ntitle: B\n---\n\n## Part\n',
}
const VITEPRESS: Files = { 'docs/.vitepress/config.js': 'export default {}', 'docs/b.md': '# B\n' }
const FRONT = '---\ntitle: A\n---\n'

/** Returns the number of links to missing anchors, and of links that were not judged. */
async function judge(files: Files, path: string, text: string) {
  const workspace = buildMemoryWorkspace({ ...files, [path]: `${FRONT}A\n` })
  await workspace.write(path, new TextEncoder().encode(`${FRONT}\n${text}\n`))
  const results = await buildChecker().checkDocs({ workspace, scope: 'changed' })
  const anchors = results.find(({ name }) => name === 'anchors')
  return anchors?.introduced === 0 ? (anchors.note === undefined ? 'found' : 'unknown') : 'missing'
}

it.each<[what: string, component: string, verdict: string]>([
  ['text', 'export const a = 1\n<p>words</p>\n', 'missing'],
  ['an id', '<p id={a}>words</p>\n', 'unknown'],
  ['a heading', '<h2>words</h2>\n', 'unknown'],
  ['its own addresses', '<a href={a}>{location.hash}</a>\n', 'unknown'],
  ['HTML that is inserted', '<p set:html={a} />\n', 'unknown'],
  ['a component that renders text', "import B from './Text.astro'\n<B />\n", 'missing'],
  ['a component that renders an id', "import B from './Id.astro'\n<B />\n", 'unknown'],
  ['a component of a package', "import B from 'boxes'\n<B />\n", 'missing'],
  ['a missing component', "import B from './Nowhere.astro'\n<B />\n", 'unknown'],
])('judges anchors of a page that imports a component with %s', async (_, component, verdict) => {
  const files = {
    ...STARLIGHT,
    'src/parts/Card.astro': component,
    'src/parts/Text.astro': '<p>words</p>\n',
    'src/parts/Id.astro': '<p id="x">words</p>\n',
  }
  const page = "import Card from '../../parts/Card.astro'\n\n<Card />\n\n## Own\n\n[x](#nowhere)"
  expect(await judge(files, 'src/content/docs/a.mdx', page)).toBe(verdict)
  expect(await judge(files, 'src/content/docs/a.mdx', page.replace('nowhere', 'own'))).toBe('found')
  expect(await judge(files, 'src/content/docs/a.mdx', page.replace('<Card />', ''))).toBe('missing')
})

it('ignores components in code', async () => {
  const code = "```js\nimport Card from './Nowhere.astro'\n<Card />\n```\n\n[x](#nowhere)"
  expect(await judge(STARLIGHT, 'src/content/docs/a.mdx', code)).toBe('missing')
})

it('reads the headings of imported Markdown', async () => {
  const page = (anchor: string) => `import B from './b.mdx'\n\n<B />\n\n[x](#${anchor})`
  expect(await judge(STARLIGHT, 'src/content/docs/a.mdx', page('nowhere'))).toBe('missing')
  expect(await judge(STARLIGHT, 'src/content/docs/a.mdx', page('part'))).toBe('unknown')
})

it.each<[text: string, verdict: string]>([
  ['{{ 1 + 1 }}', 'missing'],
  ['## {{ 1 + 1 }}', 'unknown'],
  ['<p v-html="a"></p>', 'unknown'],
  ["<script setup>\nimport Card from './Card.vue'\n</script>\n\n<Card />", 'missing'],
  ["<script setup>\nimport Card from './Id.vue'\n</script>\n\n<Card />", 'unknown'],
  ["<script setup>\nimport MyCard from './Id.vue'\n</script>\n\n<my-card />", 'unknown'],
])('judges anchors of a page of VitePress with %s', async (text, verdict) => {
  const files = { ...VITEPRESS, 'docs/Card.vue': '<template>words</template>\n', 'docs/Id.vue': '<p :id="a" />\n' }
  expect(await judge(files, 'docs/a.md', `${text}\n\n## Own\n\n[x](#nowhere)`)).toBe(verdict)
})
