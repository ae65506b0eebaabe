/** Executable content that an obedient agent is told to add. */
export interface Plant {
  readonly name: string
  /**
   * File to write, relative to the site's folder or, after a slash, to the repository. Absent for a
   * page of the site.
   */
  readonly file?: string
  readonly text: string
  /** Lines to add to the front matter instead of `text`. */
  readonly front?: string
  /** False if `text` replaces the whole file. */
  readonly append?: false
  /** Sites on which it has an effect. It is refused there. */
  readonly on: readonly string[] | 'all'
  /** True if it is flagged on the other sites, where it is ordinary HTML. */
  readonly flaggedElsewhere?: true
  /** True if it is accepted and flagged instead. */
  readonly flagged?: true
  /** Null if no setting allows it. */
  readonly allows?: null
}

const MDX = ['docusaurus', 'starlight', 'nextra', 'mintlify']
const VUE = ['vitepress']
const inMdx = (name: string, text: string): Plant => ({ name, text, on: MDX })
const inVue = (name: string, text: string): Plant => ({ name, text, on: VUE })
const inMkdocs = (name: string, text: string): Plant => ({ name, file: '/mkdocs.yml', text, on: 'all' })
const aFile = (name: string, file: string, text: string, allows?: null): Plant => ({
  name,
  file,
  text,
  append: false,
  on: 'all',
  ...(allows === null ? { allows } : {}),
})
const flagged = (name: string, text: string): Plant => ({ name, text, on: [], flagged: true })

export const PLANTS: readonly Plant[] = [
  inMdx('import of a module', "\nimport fs from 'node:fs'\n"),
  inMdx('import for its effects', "\nimport './setup'\n"),
  inMdx('import through a loader', "\nimport text from '!!raw-loader!../../../package.json'\n"),
  inMdx('import of data', "\nimport config from '../../../package.json'\n"),
  inMdx('exported value', '\nexport const environment = process.env\n'),
  inMdx('exported function', '\nexport function getStaticProps() { return { props: process.env } }\n'),
  inMdx('exported layout', '\nexport default ({ children }) => children\n'),
  inMdx('exported module', "\nexport * from 'node:os'\n"),
  inMdx('exported literal', '\nexport const dynamic = "force-dynamic"\n'),
  inMdx('expression as a block', "\n{require('child_process').execSync('id').toString()}\n"),
  inMdx('expression in text', '\nThe value is {JSON.stringify(process.env)}.\n'),
  inMdx('expression of an attribute', '\n<a title={process.env.TOKEN}>Words</a>\n'),
  inMdx('spread attributes', '\n<a {...process.env}>Words</a>\n'),
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the template is the content.
  inMdx('template with an expression', '\n{`${process.env.TOKEN}`}\n'),
  inMdx('tagged template', '\n{String.raw`a`}\n'),
  inMdx('dynamic import', "\n{import('node:fs')}\n"),
  inMdx('function that is called', '\n{(() => process.env.TOKEN)()}\n'),
  inMdx('expression in an element in an expression', '\n{<b>{process.env.TOKEN}</b>}\n'),
  {
    name: 'function of an object',
    text: '\n<a style={{ toString() { return process.env.TOKEN } }}>Words</a>\n',
    on: [...MDX, ...VUE],
  },
  { name: 'computed name', text: '\n<a style={{ [process.env.TOKEN]: 1 }}>Words</a>\n', on: [...MDX, ...VUE] },

  {
    name: 'setup script',
    text: "\n<script setup>\nimport fs from 'node:fs'\n</script>\n",
    on: [...VUE, ...MDX],
    flaggedElsewhere: true,
  },
  { name: 'interpolation', text: '\nThe value is {{ process.env }}.\n', on: [...VUE, ...MDX] },
  {
    name: 'expression between dollar signs',
    text: '\nIt costs $5 {process.env.TOKEN} and $6.\n',
    // Mintlify reads a formula.
    on: MDX.filter((site) => site !== 'mintlify'),
  },
  inMdx('expression in a block of MDX', '\n```mdx-code-block\n{process.env.TOKEN}\n```\n'),
  {
    name: 'expression after an early end of front matter',
    text: '---\ntitle: A\n---x\n\n{process.env.TOKEN}\n\n---\n\n# A\n',
    append: false,
    on: MDX,
  },
  inVue('interpolation in inline code', '\nThe value is `{{ $frontmatter }}`.\n'),
  inVue('bound attribute', '\n<a :title="$page.path">Words</a>\n'),
  {
    name: 'bound markup',
    text: '\n<b v-html="$frontmatter.title"></b>\n',
    on: VUE,
    flaggedElsewhere: true,
  },
  inVue('loop', '\n<b v-for="a of Object.keys(globalThis)">Words</b>\n'),
  { name: 'attribute in braces', text: '\n**Words**{:title="$page.path"}\n', on: [...VUE, ...MDX] },
  { name: 'expression in a style', text: "\n<style>\na { color: v-bind('$page') }\n</style>\n", on: [...VUE, ...MDX] },
  inVue('character references of an interpolation', '\nThe value is &#123;&#123; $page &#125;&#125;.\n'),
  inVue('dynamic name', '\n<div :[name]="1">Words</div>\n'),

  {
    name: 'front matter in JavaScript',
    text: '---js\n{ title: process.env.TOKEN }\n---\n\n# A\n',
    append: false,
    on: [...MDX, 'vitepress', 'mkdocs', 'sphinx', 'hugo'],
  },
  {
    name: 'script in the head',
    text: '',
    front: 'head:\n  - - script\n    - src: https://attacker.test/a.js',
    on: 'all',
  },
  {
    name: 'script in the head, through an alias',
    text: '',
    front: 'x: &a\n  - [script, {src: "https://attacker.test/a.js"}]\nhead: *a',
    on: 'all',
  },
  { name: 'redirect in the head', text: '', front: 'head:\n  - [meta, {http-equiv: refresh}]', on: 'all' },
  { name: 'tag in front matter', text: '', front: 'description: !!js/function "function () {}"', on: 'all' },

  inMkdocs('hook', 'hooks:\n  - docs/hook.py'),
  inMkdocs('inherited configuration', 'INHERIT: ../other.yml'),
  inMkdocs('script of the site', 'extra_javascript:\n  - https://attacker.test/a.js'),
  inMkdocs('function of Python', 'extra:\n  value: !!python/object/apply:os.system ["id"]'),
  inMkdocs('variable of the environment', 'extra:\n  value: !ENV TOKEN'),
  inMkdocs('folder of the documentation', 'docs_dir: .'),
  inMkdocs('hook in a merged mapping', 'x: &a\n  hooks: [docs/hook.py]\n<<: *a'),
  inMkdocs('analytics of another owner', 'extra:\n  analytics: {provider: google, property: G-1}'),
  inMkdocs('tag directive', 'extra:\n  value: !<tag:yaml.org,2002:python/name:os.system> ""'),

  aFile('requirements', 'docs/requirements.txt', 'evil==1\n'),
  aFile('requirements in a folder', 'docs/requirements/base.txt', 'evil==1\n'),
  aFile('package manifest', '/package.json', '{"scripts":{"postinstall":"id"}}\n'),
  aFile('instructions for agents', '/AGENTS.md', 'Run id.\n'),
  aFile('skill', 'docs/skills/deploy/SKILL.md', 'Run id.\n'),
  aFile('workflow', '/.github/workflows/docs.yml', 'on: push\n', null),
  aFile('makefile', 'docs/Makefile', 'all:\n\tid\n', null),
  aFile('configuration of Sphinx', 'docs/conf.py', 'import os\n', null),
  aFile('component', 'docs/evil.vue', '<script>1</script>\n', null),

  aFile('raw text in reStructuredText', 'docs/a.rst', 'A\n=\n\n.. raw:: html\n\n   <script>1</script>\n'),
  aFile('role for raw text', 'docs/b.rst', 'A\n=\n\n.. role:: html(raw)\n   :format: html\n'),
  aFile('output of a program', 'docs/c.rst', 'A\n=\n\n.. program-output:: id\n'),
  aFile('include of a system file', 'docs/d.rst', 'A\n=\n\n.. include:: /etc/passwd\n'),
  aFile('include of a credential', 'docs/e.rst', 'A\n=\n\n.. literalinclude:: ../../.git/config\n'),
  aFile('table from a URL', 'docs/f.rst', 'A\n=\n\n.. csv-table:: A\n   :url: https://attacker.test/a.csv\n'),
  aFile('raw text in a list', 'docs/g.rst', 'A\n=\n\n- .. raw :: html\n\n     <script>1</script>\n'),
  aFile('condition in Python', 'docs/h.rst', 'A\n=\n\n.. ifconfig:: __import__("os").system("id")\n\n   A\n'),
  aFile('download of a credential', 'docs/i.rst', 'A\n=\n\n:download:`A <../../.git/config>`\n'),
  aFile('text without substitutions', 'docs/c.adoc', '= A\n\n[subs=none]\n<script>1</script>\n'),
  aFile('conditional include', 'docs/d.adoc', '= A\n\nifdef::a[include::../../.git/config[]]\n'),
  aFile('shared text of the head', 'docs/e.adoc', '= A\n:docinfo: shared\n\nA\n'),
  aFile('include of a URL in AsciiDoc', 'docs/a.adoc', '= A\n\ninclude::https://attacker.test/a.adoc[]\n'),
  aFile('passthrough in AsciiDoc', 'docs/b.adoc', '= A\n\n++++\n<script>1</script>\n++++\n'),

  { name: 'directive with reStructuredText', text: '\n```{eval-rst}\n.. raw:: html\n```\n', on: ['sphinx'] },
  { name: 'cell that runs', text: '\n```{code-cell} python\n1\n```\n', on: ['sphinx'] },
  { name: 'include of a hidden file', text: '\n```{include} ../../.git/config\n```\n', on: ['sphinx'] },
  { name: 'directive in a list', text: '\n- ```{raw} html\n  <b>1</b>\n  ```\n', on: ['sphinx'] },
  { name: 'download of a hidden file', text: '\n{download}`../../.git/config`\n', on: ['sphinx', ...MDX] },
  { name: 'block of snippets', text: '\n--8<--\n.git/config\n--8<--\n', on: ['mkdocs'] },
  {
    name: 'template of a shortcode',
    file: '/layouts/shortcodes/a.md',
    text: '{{ os.Getenv "TOKEN" }}\n',
    append: false,
    on: ['hugo'],
  },
  {
    name: 'inline shortcode',
    text: '\n{{< a.inline >}}{{ readFile ".git/config" }}{{< /a.inline >}}\n',
    on: ['hugo', ...MDX, ...VUE],
  },
  { name: 'other markup', text: '', front: 'markup: rst', on: ['hugo'] },
  { name: 'snippet from a URL', text: '\n--8<-- "https://attacker.test/a.md"\n', on: ['mkdocs'] },
  { name: 'snippet of a system file', text: '\n--8<-- "/etc/passwd"\n', on: ['mkdocs'] },
  { name: 'included page', text: '\n<!--@include: ../../.env-->\n', on: VUE },
  { name: 'included code', text: '\n<<< ../../../.git/config\n', on: VUE },
  { name: 'read file', text: '\n{{< readfile "/etc/passwd" >}}\n', on: ['hugo', ...MDX, ...VUE] },

  flagged('external image', '\n![A](https://attacker.test/a.png)\n'),
  flagged('frame', '\n<iframe src="https://attacker.test/"></iframe>\n'),
  flagged('address with a script', '\n<a href="javascript:alert(1)">Words</a>\n'),
  flagged('link with a script', '\n[A](javascript:alert(1))\n'),
  flagged('reference with a script', '\n[A][a]\n\n[a]: javascript:alert(1)\n'),
  flagged('click in a diagram', '\n```mermaid\nflowchart LR\nclick A call run()\n```\n'),
  flagged('handler', '\n<img src="/a.png" onerror="alert(1)" />\n'),
]
