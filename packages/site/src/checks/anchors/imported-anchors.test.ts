import { buildMemoryWorkspace, type Files } from '@corrigenda/git/internal/test-support/memory-workspace'
import { expect, it } from 'vitest'
import { buildChecker } from '../build-checker.ts'

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
  ['a heading', '<h2>words</h2>\n', 'missing'],
  ['an id from its properties', '---\nconst { id } = Astro.props\n---\n<h2 {id}>words</h2>\n', 'unknown'],
  ['attributes with an id', '---\nconst a = { id: 1 }\n---\n<h2 {...a}>words</h2>\n', 'unknown'],
  ['a script that sets ids', '<p>words</p>\n<script>\na.id = b\n</script>\n', 'unknown'],
  ['a script with other HTML', '<p data-id="a">words</p>\n<script>\na.innerHTML = HTMLElement\n</script>\n', 'missing'],
  ['styles of ids', '<p>words</p>\n<style>\na[id="x"] { }\n</style>\n', 'missing'],
  ['a comment', '<!-- id="x" -->\n<p>words</p>\n', 'missing'],
  ['an icon', '<svg set:html={a} />\n', 'missing'],
  ['a slot and its own element', '<my-card><slot name="a" /></my-card>\n', 'missing'],
  ['loaded content', '---\nconst { Content } = await render(a)\n---\n<Content />\n', 'unknown'],
  ['types of a component', "---\nimport type B from './Id.astro'\n---\n<p>words</p>\n", 'missing'],
  ['code of another file', "---\nimport { b } from './Id.astro'\n---\n<p>{b}</p>\n", 'missing'],
  ['another component', "---\nimport { a as B } from './Id.astro'\n---\n<B />\n", 'unknown'],
  ['code that renders a heading', 'export const Card = () => <h2>words</h2>\n', 'missing'],
  ['code that renders an id', 'export const Card = ({ id }) => <h2 {...{ id }}>words</h2>\n', 'unknown'],
  ['code that creates a heading', "export const Card = () => createElement('h2', a)\n", 'unknown'],
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

it.each([
  [262_144, 'missing'],
  [262_145, 'unknown'],
])('reads a component of %d bytes: %s', async (size, verdict) => {
  const component = '<p>words</p>\n'
  const files = { ...STARLIGHT, 'src/parts/Card.astro': component + ' '.repeat(size - component.length) }
  const page = "import Card from '../../parts/Card.astro'\n\n<Card />\n\n[x](#nowhere)"
  expect(await judge(files, 'src/content/docs/a.mdx', page)).toBe(verdict)
})

it.each([
  [99, 'missing'],
  [100, 'unknown'],
])('follows %d imports of a component: %s', async (imports, verdict) => {
  const parts = Array.from({ length: imports }, (_, at) => [`src/parts/P${at}.astro`, '<p>words</p>\n'])
  const lines = parts.map((_, at) => `import P${at} from './P${at}.astro'`)
  const tags = parts.map((_, at) => `<P${at} />`)
  const component = ['---', ...lines, '---', ...tags, ''].join('\n')
  const files = { ...STARLIGHT, ...Object.fromEntries(parts), 'src/parts/Card.astro': component }
  const page = "import Card from '../../parts/Card.astro'\n\n<Card />\n\n[x](#nowhere)"
  expect(await judge(files, 'src/content/docs/a.mdx', page)).toBe(verdict)
})

it('follows components that import each other', async () => {
  const files = {
    ...STARLIGHT,
    'src/parts/Card.astro': "---\nimport B from './B.astro'\n---\n<B />\n",
    'src/parts/B.astro': "---\nimport Card from './Card.astro'\n---\n<Card />\n",
  }
  const page = "import Card from '../../parts/Card.astro'\n\n<Card />\n\n[x](#nowhere)"
  expect(await judge(files, 'src/content/docs/a.mdx', page)).toBe('missing')
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
  ['## `{{ 1 + 1 }}`', 'unknown'],
  ["Type: `import('vite').UserConfig`, `<h1>` and `v-html`, {{ 1 + 1 }}", 'missing'],
  ["<script setup>const a = import('./a')</script>", 'unknown'],
  ['<p v-html="a"></p>', 'unknown'],
  ["<script setup>\nimport Card from './Card.vue'\n</script>\n\n<Card />", 'missing'],
  ["<script setup>\nimport Card from './Id.vue'\n</script>\n\n<Card />", 'unknown'],
  ["<script setup>\nimport Card from './Global.vue'\n</script>\n\n<Card />", 'unknown'],
  ["<script setup>\nimport MyCard from './Id.vue'\n</script>\n\n<my-card />", 'unknown'],
])('judges anchors of a page of VitePress with %s', async (text, verdict) => {
  const files = {
    ...VITEPRESS,
    'docs/Card.vue': '<template>words</template>\n',
    'docs/Id.vue': '<p :id="a" />\n',
    'docs/Global.vue': '<template><my-heading /></template>\n',
  }
  expect(await judge(files, 'docs/a.md', `${text}\n\n## Own\n\n[x](#nowhere)`)).toBe(verdict)
})

it.each([
  ['## Обзор', 'нигде', 'missing'],
  ['## Обзор', 'обзор-2', 'missing'],
  ['## Обзор API\n\n## Запрос API', 'нет-api', 'missing'],
  ['## Обзор API', 'обзор-api', 'found'],
  ['## Обзор API', 'api', 'found'],
  ['## Обзор', '_1', 'found'],
])('compares all letters of an anchor with the heading %s: %s', async (headings, anchor, verdict) => {
  expect(await judge(STARLIGHT, 'src/content/docs/a.mdx', `${headings}\n\n[x](#${anchor})`)).toBe(verdict)
})
