import { describe, expect, it } from 'vitest'
import { findKinds as find, MKDOCS, type SITES } from '../test-support/notation-sites.ts'

describe('reports as code', () => {
  it.each<readonly [keyof typeof SITES, text: string]>([
    ['docusaurus', '```mdx-code-block\n{process.env.X}\n```'],
    ['docusaurus', '- a\n\n  ````mdx-code-block\n  {process.env.X}\n  ````'],
    ['docusaurus', '```mdx-code-block\n```js\n```\n{process.env.X}\n'],
    ['docusaurus', 'It costs $5 {process.env.X} and $6.'],
    ['docusaurus', '$$\n{process.env.X}\n$$'],
    ['docusaurus', '+++\n\nexport const x = process.env\n\n+++'],
    ['docusaurus', '---\ntitle: A\n---x\n\n{process.env.X}\n\n---\n'],
    ['docusaurus', '`<!--` {process.env.X} `-->`'],
    ['docusaurus', '<!--> {process.env.X} -->'],
    ['docusaurus', '<!-- */}{process.env.X}{/* -->'],
    ['older', "import fs from 'fs'\n\n{fs}"],
    ['detect', '---\nmdx:\n  format: mdx\n---\n\n{process.env.X}'],
    ['fern', '{process.env.X}'],
  ])('in MDX of %s: %j', async (site, text) => {
    expect(await find(site, text)).toEqual(['mdx-code'])
  })

  it.each([
    '**b**{v-html="$page.title"}',
    '# T {:title="$page.path"}',
    'text\n{#id :title="$page"}',
    '```js {:title="$page"}\na\n```',
    '[a](./x.md){@click="run()"}',
    '&#123;&#123; $page &#125;&#125;',
    "<style>\na { color: v-bind('process.env.X') }\n</style>",
    '<style lang="less">\n@plugin "./x.js";\n</style>',
    '<style>\n@import "../../.env";\n</style>',
    '<style>\na { background: url(../.env) }\n</style>',
    '<style src="../evil.css"></style>',
    '::: code-group\n```js [{{ $page }}]\na\n```\n:::',
    '::: tip {{ $page }}\na\n:::',
    '---\ntitle: A\n----\n\n{{ $page }}\n\n---\n',
  ])('in Vue: %j', async (text) => {
    expect(await find('vitepress', text)).toEqual(['vue-code'])
  })

  it.each<readonly [keyof typeof SITES, front: string]>([
    ['starlight', 'x: &a\n  - tag: script\nhead: *a'],
    ['starlight', '? head\n: - tag: script'],
    ['starlight', '"he\\x61d":\n  - tag: "scr\\x69pt"'],
    ['starlight', 'x: &a\n  head:\n    - tag: script\n<<: *a'],
    ['starlight', 'head: [{tag: meta, attrs: {http-equiv: refresh, content: "0;url=https://attacker.test"}}]'],
    ['starlight', 'head:\n  - tag: link\n    attrs: {rel: stylesheet, href: "https://attacker.test/a.css"}'],
    ['starlight', 'head:\n  - tag: base\n    attrs: {href: "https://attacker.test"}'],
    ['starlight', 'head:\n  - tag: meta\n    attrs: {onload: "alert(1)"}'],
    ['vitepress', 'x: &a [script, {src: "https://attacker.test"}]\nhead:\n  - *a'],
    ['mkdocs', 'head: "<script>1</script>"'],
  ])('in front matter of %s: %j', async (site, front) => {
    expect(await find(site, `---\n${front}\n---\n\n# B\n`)).toEqual(['front-matter-code'])
  })

  it.each([
    `---js${' '.repeat(300)}\n{ title: process.env.X }\n---\n`,
    '---\u00a0js\n{ title: process.env.X }\n---\n',
    '\uFEFF--- \u000b js\n{ title: process.env.X }\n---\n',
    '---coffee\ntitle: 1\n---\n',
    '---js\r\n{ title: process.env.X }\r\n---\r\n',
  ])('front matter in another language: %j', async (text) => {
    expect(await find('vitepress', text)).toContain('front-matter-code')
  })

  it.each<readonly [path: string, text: string]>([
    ['mkdocs.yml', `x: &a\n  hooks: [docs/hook.py]\n<<: *a\n${MKDOCS}`],
    ['mkdocs.yml', `${MKDOCS}<<: {hooks: [docs/hook.py]}\n`],
    ['mkdocs.yml', `${MKDOCS}? hooks\n: [docs/hook.py]\n`],
    ['mkdocs.yml', `${MKDOCS}"ho\\x6fks": [docs/hook.py]\n`],
    ['mkdocs.yml', `${MKDOCS}---\nhooks: [docs/hook.py]\n`],
    ['mkdocs.yml', MKDOCS.replace('  a: b', '  analytics: {provider: google, property: G-1}')],
    ['mkdocs.yml', `${MKDOCS}remote_branch: main\n`],
    ['other/mkdocs.yaml', 'site_name: A\nplugins: [exec]\n'],
  ])('in the settings %s: %j', async (path, text) => {
    expect(await find('mkdocs', text, { path })).toEqual(['build-settings'])
  })

  it('in merged settings of Fern', async () => {
    const text = 'x: &a\n  js: [https://attacker.test/a.js]\n<<: *a\nnavigation:\n  - page: B\n    path: ./b.mdx\n'
    expect(await find('fern', text, { path: 'fern/docs.yml' })).toEqual(['build-settings'])
  })

  it.each<readonly [keyof typeof SITES, text: string]>([
    ['live', '```jsx live\nfetch("https://attacker.test")\n```'],
    ['macros', `{{ ${' '.repeat(3000)} config }}`],
    ['macros', '{%- set x = 1 -%}'],
    ['macros', '- ```python exec="on"\n  print(1)\n  ```'],
    ['macros', '```{ .python exec="on" }\nprint(1)\n```'],
    ['inherited', '{{ config }}'],
    ['substitution', '{{ "".__class__ }}'],
    ['substitution', '---\nmyst:\n  substitutions:\n    a: "{{ env.app }}"\n---\n'],
    ['honkit', '{{ range.constructor("return process")() }}'],
    ['honkit', '{% import "../../etc/passwd" as x %}'],
    ['myst', '- ```{raw} html\n  <b>1</b>\n  ```'],
    ['myst', '1. > ``` {RAW} html\n   > <b>1</b>\n   > ```'],
    ['myst', '~~~{eval-rst}\n.. raw:: html\n~~~'],
    ['myst', '{eval}`os.environ`'],
    ['myst', '```{ifconfig} __import__("os").system("id")\na\n```'],
    ['myst', '```{testcode}\nimport os\n```'],
    ['myst', '```{argparse}\n:filename: evil.py\n```'],
    ['rst', '.. raw :: html\n\n   <b>1</b>'],
    ['rst', '..\u000braw:: html\n\n   <b>1</b>'],
    ['rst', '* - .. raw:: html\n\n         <b>1</b>'],
    ['rst', '+---+\n| .. raw:: html |\n+---+'],
    ['rst', '.. |a| raw:: html\n\n   <b>'],
    ['rst', '.. role :: a ( raw )\n   :format: html'],
    ['rst', '.. ifconfig:: __import__("os").system("id")\n\n   a'],
    ['rst', '.. testsetup::\n\n   import os'],
    ['adoc', '++++\n<b>1</b>\n++++'],
    ['adoc', '[stem]\n++++\na\n++++\n\n++++\n<b>1\n[stem]\n++++'],
    ['adoc', 'a +++<b>+++'],
    ['adoc', 'a pass:q,a[<b>]'],
    ['adoc', '[style=pass]\n<b>1</b>'],
    ['adoc', '[subs=none]\n<b>1</b>'],
    ['adoc', '[source,subs="-specialchars"]\n----\n<b>1</b>\n----'],
    ['adoc', '{set:docinfo:shared}'],
    ['adoc', ':highlightjsdir: https://attacker.test'],
    ['adoc', ':imagesdir: https://attacker.test'],
    ['hugo', '{{< x.inline >}}{{ readFile ".env" }}{{< /x.inline >}}'],
    ['hugo', '+++\nmarkup = "rst"\n+++\n\na'],
  ])('the directive in %s: %j', async (site, text) => {
    expect(await find(site, `${text}\n`)).toEqual(['directives'])
  })

  it.each<readonly [keyof typeof SITES, path: string]>([
    ['hugo', 'layouts/shortcodes/a.md'],
    ['hugo', 'themes/t/layouts/_default/single.md'],
    ['hugo', 'archetypes/default.md'],
    ['myst', 'docs/_templates/autosummary/module.rst'],
  ])('the template of %s in %s', async (site, path) => {
    expect(await find(site, '{{ os.Getenv "TOKEN" }}\n', { path })).toEqual(['directives'])
  })

  it.each<readonly [keyof typeof SITES, text: string]>([
    ['nested', "import A from '../../README.md'\n\n<A />"],
    ['docusaurus', "import A from '../../.env.md'\n\n<A />"],
    ['vitepress', '<!--\n@include:\n../.env -->'],
    ['vitepress', '<<<../.env'],
    ['vitepress', '- > <<< @/../.env{js}'],
    ['mkdocs', '--8<--\n.env\n--8<--'],
    ['mkdocs', '--8<--\nhttps://attacker.test/a.md\n--8<--'],
    ['mkdocs', '----8<---- ".env:1:2"'],
    ['mkdocs', '```plantuml\n!include /etc/passwd\n```'],
    ['included', '{!../.env!}'],
    ['myst', '- ```{include} ../.env\n  ```'],
    ['myst', '> ```{literalinclude} ../.env\n> ```'],
    ['myst', '```{csv-table} A\n---\nurl: https://attacker.test\n---\n```'],
    ['myst', '```{csv-table} A\n:file: ../.env\n```'],
    ['myst', '{download}`a <../.env>`'],
    ['myst', '```{graphviz} ../.env\n```'],
    ['rst', '.. include :: ../.env'],
    ['rst', '- .. include::\n     ../.env'],
    ['rst', '.. csv-table:: A\n   :file:\n     ../.env'],
    ['rst', ':download:`a <../.env>`'],
    ['rst', '.. graphviz:: ../.env'],
    ['adoc', 'ifdef::a[include::../.env[]]'],
    ['adoc', '|===\na|include::../.env[]\n|==='],
    ['adoc', 'include::partial$../../.env[]'],
    ['adoc', '[plantuml]\n----\n!include /etc/passwd\n----'],
    ['hugo', "{{< readfile '/etc/passwd' >}}"],
    ['hugo', '{{< readfile lang="x"\n  file="../.env" draft="true" >}}'],
    ['hugo', '{{% include "../.env" %}}'],
    ['hugo', '{{< fetch "https://attacker.test/a" >}}'],
    ['mdbook', '{{ #include ../.env }}'],
    ['mdbook', '{{#include\n../.env:1:2}}'],
    ['mdbook', '{{#template ../.env a=b}}'],
    ['gitbook', '{%include "../.env"%}'],
    ['mintlify', '<Snippet\n  file="../.env" />'],
  ])('the include in %s: %j', async (site, text) => {
    expect(await find(site, `${text}\n`)).toContain('includes')
  })
})

describe('does not report', () => {
  it.each<readonly [keyof typeof SITES, text: string]>([
    ['docusaurus', "import Part from '../part.mdx'\n\n<Part />\n\n<!-- a comment -->"],
    ['docusaurus', "import Part from '@site/docs/part.mdx'\n\n<Part />"],
    ['docusaurus', '```mdx-code-block\n<b>1</b>\n```'],
    ['docusaurus', 'It costs $5 and $6.\n\n```jsx live\na\n```'],
    ['detect', '{a}'],
    ['mintlify', 'The value $\\frac{a}{b}$ and\n\n$$\n\\frac{c}{d}\n$$'],
    ['mintlify', 'import Part from \'/snippets/part.mdx\'\n\n<Part />\n<Snippet file="snippets/part.mdx" />'],
    [
      'starlight',
      '---\nhead:\n  - tag: meta\n    attrs: {name: robots, content: noindex}\n  - tag: title\n    content: A\n---\n',
    ],
    ['starlight', '---\nhead:\n  - tag: link\n    attrs: {rel: canonical, href: "https://docs.test/a"}\n---\n'],
    ['vitepress', '# T {#id .class}\n\n**b**{title="a"}\n\n```js{1,2} [a.js]\n{{ a }}\n```'],
    [
      'vitepress',
      '<style>\na { color: red }\n</style>\n\n<<< ./part.md#region{1,2}\n\n<!--@include: ./part.md{1,2}-->',
    ],
    [
      'mkdocs',
      '{{ a }}\n\n{% a %}\n\n```python exec\n```\n\n--8<-- "docs/part.md:1:2"\n\n--8<--\ndocs/part.md\n--8<--',
    ],
    ['substitution', 'Version {{ version }}.'],
    [
      'myst',
      '```{note}\na\n```\n\n```{literalinclude} part.txt\n:lines: 1\n```\n\n{download}`part.txt`\n\n```{csv-table} A\n:file: part.txt\n```',
    ],
    [
      'rst',
      '.. include:: part.rst\n\n.. include:: <isonum.txt>\n\n.. graphviz::\n\n   digraph {}\n\n.. code:: python\n\n   a',
    ],
    [
      'adoc',
      '[stem]\n++++\nx^2 + y\n++++\n\ninclude::part.adoc[]\n\ninclude::partial$a.adoc[]\n\n\\include::../.env[]',
    ],
    ['adoc', '[source,yaml,subs="attributes+"]\n----\na\n----\n\n[subs="verbatim,quotes"]\n----\na\n----'],
    [
      'hugo',
      '{{< ref "b.md" >}} {{< code lang="js" >}}a{{< /code >}} {{< readfile file="part.yaml" code="true" lang="yaml" >}}',
    ],
    ['mdbook', '{{#include part.rs:1:2}}\n\n{{ #include part.rs:anchor }}\n\n{{#title A}}'],
    ['gitbook', '{% include "part.md" %}\n\n{% hint style="info" %}\na\n{% endhint %}'],
  ])('in %s: %j', async (site, text) => {
    expect(await find(site, `${text}\n`)).toEqual([])
  })

  it.each<readonly [keyof typeof SITES, block: string]>([
    ['rst', '.. raw:: html\n\n   <b>CONTENT</b>\n\n   <i>1</i>'],
    ['myst', '````{raw} html\n```\nCONTENT\n````'],
    ['macros', '```python exec="on"\nCONTENT\n```'],
    ['adoc', '++++\n<b>CONTENT</b>\n++++'],
    ['adoc', '[subs=none]\n----\n<b>\n\nCONTENT\n----'],
    ['live', '```jsx live\nCONTENT\n```'],
    ['hugo', '{{< a.inline >}}CONTENT{{< /a.inline >}}'],
    ['vitepress', '<script setup>\nCONTENT\n</script>'],
  ])('what %s already contained, but other content of it: %j', async (site, block) => {
    const page = (content: string, more = '') =>
      `${more}\n\n${block.replace('CONTENT', content)}\n\nMore text.${more}\n`
    const before = page('old')
    expect(await find(site, page('old', 'Other text.'), { before })).toEqual([])
    expect(await find(site, page('new'), { before })).toHaveLength(1)
  })

  it('other text in a block of reStructuredText, except new directives in it', async () => {
    const page = (text: string) => `# B\n\n\`\`\`{eval-rst}\n.. note::\n   ${text}\n\`\`\`\n`
    const before = page('Old.')
    expect(await find('myst', page('New.'), { before })).toEqual([])
    expect(await find('myst', page('New.\n\n   .. raw:: html\n\n      <b>1</b>'), { before })).toEqual(['directives'])
  })
})
