import type { SidebarsConfig } from '@docusaurus/plugin-content-docs'

// The order of the pages.
const sidebars: SidebarsConfig = {
  handbook: [
    'index',
    {
      type: 'category',
      label: 'Guides',
      items: [
        'guides/install',
        'guides/configure',
        'guides/restore',
        'guides/monitor',
        'guides/upgrade',
        'guides/tabs',
      ],
    },
    {
      type: 'category',
      label: 'Reference',
      items: [
        'reference/cli',
        'reference/configuration',
        'reference/limits',
        'reference/errors',
        'reference/webhooks',
      ],
    },
    {
      type: 'category',
      label: 'Help',
      items: [
        'help/questions',
        'help/support',
        'help/glossary',
      ],
    },
    {
      type: 'category',
      label: 'About',
      items: [
        'about/changelog',
      ],
    },
  ],
}

export default sidebars
