module.exports = {
  title: 'Pebble',
  url: 'https://pebble.example.dev',
  baseUrl: '/',
  i18n: { defaultLocale: 'en', locales: ['en', 'de'] },
  presets: [['classic', { docs: { sidebarPath: require.resolve('./sidebars.json') } }]],
}
