import { defineConfig } from 'vitepress'
import { sidebar } from './sidebar'

// https://vitepress.dev/reference/site-config
export default defineConfig({
  title: 'Harbour',
  cleanUrls: true,
  locales: {
    root: { label: 'English', lang: 'en' },
    de: { label: 'Deutsch', lang: 'de', link: '/de/' },
  },
  markdown: { config: (md) => { md.set({ linkify: false }) } },
  themeConfig: {
    nav: [{ text: 'Guides', link: '/guides/install', activeMatch: '/guides/' }],
    sidebar,
    socialLinks: [{ icon: 'github', link: 'https://git.example/harbour' }],
  },
})
