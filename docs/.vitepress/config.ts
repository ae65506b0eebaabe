import { posix } from 'node:path'
import { defineConfig } from 'vitepress'

const REPOSITORY = 'https://github.com/corrigenda/corrigenda'

/**
 * Pages link to files outside `docs` by relative paths, which work on GitHub and are checked. The
 * site does not contain these files, so it links to the repository.
 */
function toSiteLink(page: string, href: string): string {
  const path = posix.join('docs', posix.dirname(page), href)
  return href.startsWith('../') && !path.startsWith('docs/') ? `${REPOSITORY}/blob/main/${path}` : href
}

export default defineConfig({
  title: 'Corrigenda',
  description: 'A self-hosted service that turns a prompt into a pull request on your documentation repository',
  lang: 'en',
  cleanUrls: true,
  ignoreDeadLinks: 'localhostLinks',
  markdown: {
    config(markdown) {
      markdown.core.ruler.push('links-to-repository', (state) => {
        for (const token of state.tokens.flatMap(({ children }) => children ?? [])) {
          const href = token.type === 'link_open' ? token.attrGet('href') : null
          if (href !== null) token.attrSet('href', toSiteLink(state.env.relativePath, href))
        }
      })
    },
  },
  themeConfig: {
    search: { provider: 'local' },
    outline: [2, 3],
    socialLinks: [{ icon: 'github', link: 'https://github.com/corrigenda/corrigenda' }],
    sidebar: [
      {
        text: 'Get started',
        items: [
          { text: 'Overview', link: '/' },
          { text: 'Quickstart', link: '/quickstart' },
          { text: 'How it works', link: '/how-it-works' },
        ],
      },
      {
        text: 'Guides',
        items: [
          { text: 'Integrate in five minutes', link: '/integrate' },
          { text: 'Create jobs from a backend', link: '/jobs' },
          { text: 'Live events', link: '/events' },
          { text: 'Review and follow-ups', link: '/follow-ups' },
          { text: 'API keys and members', link: '/keys-and-members' },
          { text: 'GitHub App and tokens', link: '/github' },
          { text: 'GitLab', link: '/gitlab' },
          { text: 'Forgejo and Gitea', link: '/forgejo' },
          { text: 'Deployments', link: '/deployments' },
          { text: 'Webhooks', link: '/webhooks' },
          { text: 'Move from the hosted API', link: '/migration' },
        ],
      },
      {
        text: 'Operate',
        items: [
          { text: 'Run Corrigenda', link: '/running' },
          { text: 'Configuration', link: '/configuration' },
          { text: 'Upgrade', link: '/upgrade' },
          { text: 'Back up and restore', link: '/backup' },
          { text: 'Network and proxies', link: '/network' },
          { text: 'Kubernetes', link: '/kubernetes' },
          { text: 'Projects as code', link: '/apply' },
          { text: 'Scaling and sizing', link: '/scaling' },
          { text: 'Recovery', link: '/recovery' },
          { text: 'Monitoring', link: '/monitoring' },
          { text: 'Runbook', link: '/runbook' },
          { text: 'Data', link: '/data' },
          { text: 'Audit log', link: '/audit-log' },
          { text: 'Security', link: '/security' },
        ],
      },
      {
        text: 'Reference',
        items: [
          { text: 'HTTP API', link: '/api' },
          { text: 'Command line', link: '/cli' },
          { text: 'Project settings', link: '/settings' },
          { text: 'Sources', link: '/sources' },
          { text: '.corrigenda.yml', link: '/repository-policy' },
          { text: 'Checks', link: '/checks' },
          { text: 'Failures', link: '/failures' },
          { text: 'Model providers', link: '/providers' },
          { text: 'Evaluation', link: '/evaluation' },
        ],
      },
      {
        text: 'Contribute',
        items: [
          { text: 'Development', link: '/development' },
          { text: 'Decisions', link: '/decisions/README' },
        ],
      },
    ],
  },
})
