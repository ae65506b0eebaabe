import type { DefaultTheme } from 'vitepress'

export const sidebar: DefaultTheme.Sidebar = {
  '/': [
    {
      text: 'Guides',
      items: [
        { text: 'Install Harbour', link: '/guides/install' },
        { text: 'Configure schedules', link: '/guides/configure' },
        { text: 'Restore a copy', link: '/guides/restore' },
        { text: 'Monitor runs', link: '/guides/monitor' },
        { text: 'Upgrade', link: '/guides/upgrade' },
        { text: 'Containers', link: '/guides/containers' },
      ],
    },
    {
      text: 'Reference',
      items: [
        { text: 'Command line', link: '/reference/cli' },
        { text: 'Configuration', link: '/reference/configuration' },
        { text: 'Limits', link: '/reference/limits' },
        { text: 'Errors', link: '/reference/errors' },
        { text: 'Webhooks', link: '/reference/webhooks' },
      ],
    },
    {
      text: 'Help',
      items: [
        { text: 'Questions and answers', link: '/help/faq' },
        { text: 'Support', link: '/help/support' },
        { text: 'Glossary', link: '/help/glossary' },
      ],
    },
    {
      text: 'About',
      items: [
        { text: 'Changelog', link: '/about/changelog' },
      ],
    },
  ],
  '/de/': [{ text: 'Anleitungen', items: [{ text: 'Installation', link: '/de/guides/install' }] }],
}
