import { buildMemoryWorkspace, type Files } from '@corrigenda/git/internal/test-support/memory-workspace'
import { expect, it } from 'vitest'
import { buildChecker } from '../build-checker.ts'

const SITE: Files = {
  'docs/.vitepress/config.js': 'export default { srcExclude: ["drafts/**"] }',
  'docs/a.md': '# A\n',
}
const FRONT = '---\ntitle: A\n---\n'

async function find(files: Files, path: string, text: string) {
  const workspace = buildMemoryWorkspace(files)
  await workspace.write(path, new TextEncoder().encode(text))
  const results = await buildChecker().checkDocs({ workspace, scope: 'changed' })
  return results.flatMap(({ findings, introduced }) =>
    findings.slice(0, introduced).map(({ code, line, breaksBuild }) => [line, code, breaksBuild === true]),
  )
}

it.each<[what: string, files: Files, path: string, text: string, found: readonly unknown[]]>([
  ['a page', SITE, 'docs/a.md', `${FRONT}\nThe {{ user name }}.\n`, [[5, 'vue_syntax', true]]],
  ['a page with an existing fault', { ...SITE, 'docs/a.md': '<b>\n' }, 'docs/a.md', 'The {{ user name }}.\n', []],
  ['a page with another problem', SITE, 'docs/a.md', '<div>\n\n```js\n', [[3, 'fence_unclosed', false]]],
  ['an excluded page', SITE, 'docs/drafts/b.md', '<div>\n', []],
  ['a page of another framework', { 'mkdocs.yml': 'site_name: A\n', 'docs/a.md': 'A\n' }, 'docs/a.md', '<div>\n', []],
  [
    'a site with other delimiters',
    {
      ...SITE,
      'docs/.vitepress/config.js': 'export default { vue: { template: { compilerOptions: { delimiters } } } }',
    },
    'docs/a.md',
    'The {{ user name }}.\n',
    [],
  ],
  [
    'a site with formulas',
    { ...SITE, 'docs/.vitepress/config.js': 'export default { markdown: { math: true } }' },
    'docs/a.md',
    '$x_{{a b}}$ and <b>bold</b> for $5 or {{ user name }}\n\n$$\n{{a b}} <div>\n$$\n',
    [[1, 'vue_syntax', true]],
  ],
  [
    'formulas',
    { ...SITE, 'docs/.vitepress/config.js': 'export default { markdown: { math: true } }' },
    'docs/a.md',
    '$x_{{a b}}$ and <b>bold</b> for $5\n\n$$\n{{a b}} <div>\n$$\n\n{{ price }}\n',
    [],
  ],
  [
    'a site without formulas',
    { ...SITE, 'docs/.vitepress/config.js': 'export default { markdown: { math: false } }' },
    'docs/a.md',
    '$x_{{a b}}$\n',
    [[1, 'vue_syntax', true]],
  ],
])('Vue faults in %s', async (_, files, path, text, found) => {
  expect((await find(files, path, text)).filter(([, code]) => code !== 'navigation_orphan')).toEqual(found)
})
