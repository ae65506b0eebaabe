/** Small sites without issues, one for each framework. */

export const VITEPRESS = {
  'package.json': '{"devDependencies":{"vitepress":"1.6.0"}}',
  'docs/.vitepress/config.ts':
    'export default { themeConfig: { sidebar: [{ text: "A", link: "/guide/a" }, { text: "I", link: "/installation" }, { text: "G", link: "/guide/" }] } }',
  'docs/index.md': '# Home\n\n[a](/guide/a)\n',
  'docs/guide/index.md': '# G\n\n[i](../installation)\n',
  'docs/installation.md': '# I\n',
  'docs/guide/a.md': '# A\n',
}

export const NEXTRA = {
  'package.json': '{"dependencies":{"nextra":"3.0.15","nextra-theme-docs":"3.0.15","next":"14"}}',
  'next.config.js': 'import nextra from "nextra"\nexport default nextra({ theme: "nextra-theme-docs" })({})\n',
  'theme.config.tsx': 'export default {}\n',
  'pages/_meta.js': 'export default { index: "Home", a: "A" }\n',
  'pages/index.mdx': '# H\n\n[a](/a)\n',
  'pages/a.mdx': '# A\n\n[i](/)\n',
}

export const HUGO = {
  'hugo.toml': 'baseURL = "https://x.org/"\n[params]\nv = "1"\n',
  'content/_index.md': '---\ntitle: H\n---\n',
  'content/docs/_index.md': '---\ntitle: D\n---\n',
  'content/docs/a.md': '---\ntitle: A\n---\n\nText.\n',
  'content/docs/b.md': '---\ntitle: B\n---\n\n## Sec\n',
}

export const SPHINX = {
  'docs/conf.py': 'project = "x"\nextensions = ["myst_parser"]\nmyst_heading_anchors = 3\n',
  'docs/index.md': '# Home\n\n```{toctree}\na\nsub/b\nsub/c\n```\n',
  'docs/a.md': '# A\n',
  'docs/sub/b.md': '# B\n',
  'docs/sub/c.md': '# C\n',
}

export const MINTLIFY = {
  'docs.json': '{"name":"x","navigation":{"groups":[{"group":"G","pages":["a","b"]}]}}',
  'a.mdx': '---\ntitle: A\n---\n\nText.\n',
  'b.mdx': '---\ntitle: B\n---\n\nText.\n',
}

export const DOCUSAURUS = {
  'package.json': '{"dependencies":{"@docusaurus/core":"3.9.2","@docusaurus/preset-classic":"3.9.2"}}',
  'docusaurus.config.js':
    'module.exports = { title: "x", url: "https://x.org", baseUrl: "/", presets: [["classic", { docs: { sidebarPath: "./sidebars.js" } }]] }',
  'sidebars.js': 'module.exports = { docs: ["a", "c/b"] }',
  'docs/a.md': '# A\n',
  'docs/c/b.mdx': '---\nslug: /client/b\n---\n\n# B\n',
}

export const STARLIGHT = {
  'package.json': '{"dependencies":{"@astrojs/starlight":"0.30.0","astro":"5.0.0"}}',
  'astro.config.mjs':
    'import { defineConfig } from "astro/config"\nimport starlight from "@astrojs/starlight"\nexport default defineConfig({ integrations: [starlight({ title: "x", sidebar: [{ label: "A", link: "/a/" }, { label: "Guides", autogenerate: { directory: "guides" } }] })] })',
  'src/content/docs/index.md': '---\ntitle: H\n---\n\n[a](/a/)\n',
  'src/content/docs/a.mdx': '---\ntitle: A\n---\n\nText.\n',
  'src/content/docs/guides/first.md': '---\ntitle: First\n---\n\nText.\n',
  'src/content/docs/guides/other.md': '---\ntitle: Other\n---\n\nText.\n',
}

export const MDBOOK = {
  'book.toml': '[book]\ntitle = "x"\n\n[output.html.redirect]\n"/old.html" = "a.html"\n',
  'src/SUMMARY.md': '# Summary\n\n- [A](a.md)\n- [C](cli/README.md)\n',
  'src/a.md': '# A\n',
  'src/cli/README.md': '# C\n',
}

export const FERN = {
  'fern/fern.config.json': '{"organization":"x","version":"0.50.0"}',
  'fern/docs.yml':
    'instances:\n  - url: x.docs.buildwithfern.com\nversions:\n  - display-name: v2\n    path: v2.yml\n    slug: v2\n  - display-name: v1\n    path: v1.yml\n    slug: v1\nredirects:\n  - source: /docs/old\n    destination: /docs/a\n',
  'fern/v1.yml': 'navigation:\n  - page: A\n    path: pages/v1/a.mdx\n',
  'fern/v2.yml': 'navigation:\n  - page: A\n    path: pages/v2/a.mdx\n  - page: B\n    path: pages/v2/b.mdx\n',
  'fern/pages/v1/a.mdx': '---\ntitle: A\nslug: docs/a\n---\n\nText\n',
  'fern/pages/v2/a.mdx': '---\ntitle: A\nslug: docs/a\n---\n\nText\n',
  'fern/pages/v2/b.mdx': '---\ntitle: B\nslug: docs/b\n---\n\n[a](../docs/a)\n',
}

/** @param plugins lines after the plugin for redirects */
export const buildMkdocs = (plugins = '') => ({
  'mkdocs.yml': `site_name: x\nplugins:\n  - search\n  - redirects:\n      redirect_maps:\n        "old.md": "z.md"\n${plugins}markdown_extensions:\n  - admonition\n  - pymdownx.snippets\nnav:\n  - index.md\n  - A: g/a.md\n  - z.md\n`,
  'docs/index.md': '# H\n',
  'docs/g/a.md': '# A\n\nText.\n',
  'docs/z.md': '# Z\n',
})

export const GITBOOK = {
  '.gitbook.yaml': 'root: ./\n\nredirects:\n  old: ./a.md\n',
  'SUMMARY.md': '# S\n\n* [R](README.md)\n* [A](a.md)\n',
  'README.md': '# R\n',
  'a.md': '# A\n',
}
