// @ts-check
import starlight from '@astrojs/starlight'
import { defineConfig } from 'astro/config'

export default defineConfig({
  site: 'https://harbour.example',
  redirects: {
    '/setup': '/guides/install/',
  },
  integrations: [
    starlight({
      title: 'Harbour',
      social: [{ icon: 'github', label: 'Code', href: 'https://git.example/harbour' }],
      defaultLocale: 'root',
      locales: {
        root: { label: 'English', lang: 'en' },
        fr: { label: 'Français' },
      },
      sidebar: [
        { label: 'Guides', autogenerate: { directory: 'guides' } },
        {
          label: 'Reference',
          items: [
            { label: 'Command line', slug: 'reference/cli' },
            { label: 'Configuration', slug: 'reference/configuration' },
            { label: 'Limits', slug: 'reference/limits' },
            { label: 'Errors', slug: 'reference/errors' },
            { label: 'Webhooks', slug: 'reference/webhooks' },
          ],
        },
        {
          label: 'Help',
          items: [
            { label: 'Questions and answers', slug: 'help/faq' },
            { label: 'Support', slug: 'help/support' },
            { label: 'Glossary', slug: 'help/glossary' },
          ],
        },
        {
          label: 'About',
          items: [
            { label: 'Changelog', slug: 'about/changelog' },
          ],
        },
      ],
    }),
  ],
})
