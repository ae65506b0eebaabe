const docs = JSON.stringify(
  {
    name: 'Acme',
    navigation: {
      groups: [
        { group: 'Start', pages: ['index', 'guides/install'] },
        { group: 'Guides', pages: ['guides/use', { group: 'More', pages: ['guides/legacy'] }] },
      ],
    },
    redirects: [{ source: '/old', destination: '/guides/install' }],
  },
  null,
  2,
)

/** A small Mintlify site. */
export const site = {
  'docs.json': `${docs}\n`,
  'index.mdx':
    '---\ntitle: Acme CLI\n---\n\nAcme CLI, the Acme CLI. See [install](/guides/install#linux) or [use](guides/use).\n',
  'guides/install.mdx': '# Install\n\nGet the Acme CLI. Then [use it](./use.mdx) or go [home](../index).\n',
  'guides/use.mdx': '# Use\n\n<Card href="/guides/install">Install</Card>\nSee [legacy](./legacy) and acme cli.\n',
  'guides/legacy.mdx': '# Legacy\n\nBack to [install](install.mdx).',
  'package.json': '{ "name": "Acme CLI" }\n',
}
