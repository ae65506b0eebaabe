import type { Config } from '@docusaurus/types'
import { themes } from 'prism-react-renderer'

const config: Config = {
  title: 'Harbour',
  url: 'https://harbour.example',
  baseUrl: '/',
  onBrokenLinks: 'throw',
  i18n: { defaultLocale: 'en', locales: ['en', 'de'] },
  presets: [
    [
      'classic',
      {
        docs: { sidebarPath: './sidebars.ts', editUrl: 'https://git.example/harbour' },
        blog: { showReadingTime: true },
      },
    ],
  ],
  plugins: [
    [
      '@docusaurus/plugin-client-redirects',
      {
        redirects: [
          { from: '/docs/setup', to: '/docs/guides/install' },
        ],
      },
    ],
  ],
  themeConfig: {
    navbar: { items: [{ type: 'docSidebar', sidebarId: 'handbook', label: 'Docs' }, { to: '/pricing', label: 'Pricing' }] },
    prism: { theme: themes.github },
  },
}

export default config
