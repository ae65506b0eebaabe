interface Group {
  readonly group: string
  readonly pages: readonly string[]
}

interface Tab {
  readonly tab: string
  readonly groups: readonly Group[]
}

const tabs: readonly Tab[] = [
  {
    tab: 'Guides',
    groups: [
      { group: 'Get started', pages: ['introduction', 'quickstart', 'installation', 'concepts'] },
      {
        group: 'Scheduling',
        pages: [
          'guides/first-schedule',
          'guides/retries-and-backoff',
          'guides/time-zones',
          'guides/calendars',
          'guides/concurrency',
        ],
      },
      {
        group: 'Operating',
        pages: [
          'guides/deploying',
          'guides/secrets',
          'guides/webhooks',
          'guides/observability',
          'guides/migrating-from-cron',
        ],
      },
      {
        group: 'Troubleshooting',
        pages: [
          'troubleshooting/overview',
          'troubleshooting/missed-runs',
          'troubleshooting/stuck-runs',
          'troubleshooting/connection',
        ],
      },
    ],
  },
  {
    tab: 'Command line',
    groups: [
      {
        group: 'Commands',
        pages: ['cli/overview', 'cli/run', 'cli/list', 'cli/logs', 'cli/schedule', 'cli/pause', 'cli/login'],
      },
      { group: 'Reference', pages: ['cli/config', 'cli/output-formats', 'cli/exit-codes'] },
    ],
  },
  {
    tab: 'API and SDKs',
    groups: [
      { group: 'API', pages: ['api/overview', 'api/authentication', 'api/errors', 'api/pagination'] },
      { group: 'Resources', pages: ['api/jobs', 'api/runs', 'api/schedules', 'api/webhooks'] },
      { group: 'SDKs', pages: ['sdk/typescript', 'sdk/python', 'sdk/workers', 'sdk/testing'] },
    ],
  },
  {
    tab: 'Changelog',
    groups: [{ group: 'Changelog', pages: ['changelog/releases', 'changelog/upgrade-2-0'] }],
  },
]

/** Contents of docs.json. */
export const siteConfig = {
  $schema: 'https://mintlify.com/docs.json',
  theme: 'mint',
  name: 'Tidewater',
  colors: { primary: '#0B5F6B', light: '#6CC6D3', dark: '#0B5F6B' },
  logo: { light: '/images/logo-light.svg', dark: '/images/logo-dark.svg' },
  favicon: '/images/favicon.svg',
  navigation: { tabs },
}
