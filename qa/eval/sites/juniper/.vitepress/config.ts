import { defineConfig } from 'vitepress'

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
