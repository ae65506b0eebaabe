/** VitePress: a bundler; the sidebar is a program that may not be changed. The product is invented. */
export const juniper: Readonly<Record<string, string>> = {
  '.vitepress/config.ts': `import { defineConfig } from 'vitepress'

export default defineConfig({
  title: 'Juniper',
  themeConfig: {
    sidebar: [
      {
        text: 'Guide',
        items: [
          { text: 'Start', link: '/guide/start' },
          { text: 'Plugins', link: '/guide/plugins' },
        ],
      },
      { text: 'Reference', items: [{ text: 'Options', link: '/reference/options' }] },
    ],
  },
})
`,
  'guide/plugins.md': `# Plugins

A plugin is an object with a \`name\` and hooks.

\`\`\`ts{3}
export const banner = {
  name: 'banner',
  footer: () => '/* made with juniper */',
}
\`\`\`

::: warning
Hooks run one after the other, in the order of the list.
:::

## Hooks {#hooks}

| Hook | When |
| --- | --- |
| \`start\` | before the first file |
| \`load\` | for each file |
| \`footer\` | after the last file |
`,
  'guide/start.md': `# Start

\`\`\`bash
npm install --save-dev juniper
npx juniper build
\`\`\`

The result lies in \`dist/\`. Juniper needs Node 18 or newer.

::: tip
\`juniper dev\` builds again whenever a file changes.
:::

Next: [plugins](./plugins.md) and [options](../reference/options.md#outdir).
`,
  'index.md': `---
layout: home
hero:
  name: Juniper
  tagline: A bundler for small sites
  actions:
    - text: Start
      link: /guide/start
---
`,
  'reference/options.md': `# Options

## outDir

Where the result goes. Default \`dist\`.

## minify

Whether code is made smaller. Default \`true\`.

## plugins

A list of [plugins](/guide/plugins#hooks). Default: none.
`,
}
