import { buildMemoryWorkspace, type Files } from '@corrigenda/git/internal/test-support/memory-workspace'
import { describe, expect, it } from 'vitest'
import { buildChecker } from '../build-checker.ts'

const DOCUSAURUS: Files = {
  'docusaurus.config.js': "module.exports = { presets: [['classic', {}]], themes: ['@docusaurus/theme-mermaid'] }",
  'docs/a.mdx': '# A\n',
  'docs/b.mdx': "import Chart from './chart'\n\n<Used />\n\n<Chart />\n",
  'docs/chart.js': 'export default 1\n',
}
const STARLIGHT: Files = {
  'astro.config.mjs': "import starlight from '@astrojs/starlight'\nexport default { integrations: [starlight({})] }",
  'src/content/docs/a.mdx': '---\ntitle: A\n---\n',
}
const NEXTRA: Files = {
  'next.config.js': '',
  'app/_meta.js': 'export default { a: "A" }',
  'app/a/page.mdx': '# A\n',
  'mdx-components.js':
    "import { useMDXComponents as get } from 'nextra-theme-docs'\nexport const useMDXComponents = (own) => ({ ...get(), Chart() { return null }, ...own })\n",
}
const MINTLIFY: Files = { 'docs.json': '{"navigation":{"pages":["a"]}}', 'a.mdx': '# A\n' }

async function find(files: Files, path: string, text: string, other: Files = {}) {
  const workspace = buildMemoryWorkspace({ ...files, ...other })
  const front = path.startsWith('src/content') ? '---\ntitle: A\n---\n' : ''
  await workspace.write(path, new TextEncoder().encode(`${front}${text}\n`))
  const results = await buildChecker().checkDocs({ workspace, scope: 'changed' })
  return results.flatMap(({ findings, introduced }) =>
    findings
      .slice(0, introduced)
      .filter(({ code }) => code !== 'navigation_orphan')
      .map(({ code, message, breaksBuild }) => `${code} ${/<(\w+)>/.exec(message)?.[1]} ${breaksBuild === true}`),
  )
}

describe('unknown components', () => {
  it.each<[site: string, files: Files, path: string, isGrave: boolean]>([
    ['Docusaurus', DOCUSAURUS, 'docs/a.mdx', true],
    ['Starlight', STARLIGHT, 'src/content/docs/a.mdx', true],
    ['Nextra', NEXTRA, 'app/a/page.mdx', true],
    ['Mintlify', MINTLIFY, 'a.mdx', false],
  ])('are found in %s', async (_, files, path, isGrave) => {
    expect(await find(files, path, 'A <Chat a="b">c</Chat> and\n\n<Pie.Part />')).toEqual([
      `component_unknown Chat ${isGrave}`,
      `component_unknown Pie ${isGrave}`,
    ])
    expect(await find(files, path, "import Chat, { Pie as Cake } from 'x'\n\n<Chat /> <Cake.Part />")).toEqual([])
    expect(
      await find(files, path, 'export const Chat = () => <b />\n\n<Chat /> <div /> {x.map((A) => <A />)}'),
    ).toEqual([])
    expect(await find(files, path, '`<Chat>`\n\n```js\n<Chat />\n```')).toEqual([])
  })

  it('includes a component whose import is removed', async () => {
    expect(await find(DOCUSAURUS, 'docs/b.mdx', '<Used />\n\n<Chart />')).toEqual(['component_unknown Chart true'])
  })

  it.each<[what: string, files: Files, path: string, text: string, other?: Files]>([
    ['another page uses at the base commit', DOCUSAURUS, 'docs/a.mdx', '<Used />'],
    ['the framework provides', DOCUSAURUS, 'docs/a.mdx', '<Head />'],
    ['Mintlify provides', MINTLIFY, 'a.mdx', '<Card>a</Card>'],
    ['the site provides', NEXTRA, 'app/a/page.mdx', '<Chart />'],
    [
      'a file of the theme provides',
      DOCUSAURUS,
      'docs/a.mdx',
      '<Chart />',
      {
        'src/theme/MDXComponents.js':
          "import M from '@theme-original/MDXComponents'\nexport default { ...M, Chart: 1 }\n",
      },
    ],
    [
      'a file that the theme passes on provides',
      DOCUSAURUS,
      'docs/a.mdx',
      '<Chart />',
      {
        'src/theme/MDXComponents/index.tsx': "import all from '@site/src/all'\nexport default { ...all }\n",
        'src/all.js': 'export default { Chart: 1 }\n',
      },
    ],
    [
      'a package may provide',
      DOCUSAURUS,
      'docs/a.mdx',
      '<Chart />',
      { 'src/theme/MDXComponents.js': "import * as all from 'charts'\nexport default { ...all }\n" },
    ],
    [
      'loaded modules may provide',
      DOCUSAURUS,
      'docs/a.mdx',
      '<Chart />',
      { 'src/theme/MDXComponents.js': "const all = require.context('./all')\nexport default load(all)\n" },
    ],
    [
      'another theme may provide',
      { ...DOCUSAURUS, 'docusaurus.config.js': "module.exports = { presets: [['classic', {}]], themes: ['x-theme'] }" },
      'docs/a.mdx',
      '<Chart />',
    ],
    [
      'a plugin may import',
      { ...STARLIGHT, 'astro.config.mjs': `${STARLIGHT['astro.config.mjs']}\nimport auto from 'astro-auto-import'` },
      'src/content/docs/a.mdx',
      '<Chart />',
    ],
    ['a page that includes this one may pass on', DOCUSAURUS, 'docs/_part.mdx', '<Chart />'],
    ['nothing compiles', MINTLIFY, 'snippets/part.mdx', '<Chart />'],
  ])('exclude one that %s', async (_, files, path, text, other) => {
    expect(await find(files, path, text, other)).toEqual([])
  })
})
