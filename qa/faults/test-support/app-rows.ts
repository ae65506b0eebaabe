import { type FaultRow, FOREVER, failsWith, OUTAGE, RECOVERED } from './fault-row.ts'

/** Rows with a GitHub App instead of a token. */
export const APP_ROWS: readonly FaultRow[] = [
  {
    id: 'app-token-refused-read',
    title: '401 for a token of the App while the repository is read',
    arrange: ({ fault }) => fault({ op: 'git.fetch', kind: 'status', status: 401 }),
    expect: RECOVERED,
  },
  {
    id: 'app-token-refused-push',
    title: '401 for a token of the App at the push',
    arrange: ({ fault }) => fault({ op: 'git.push', kind: 'status', status: 401 }),
    expect: RECOVERED,
  },
  {
    id: 'app-token-refused-pull',
    title: '401 for a token of the App at the pull request',
    arrange: ({ fault }) => fault({ op: 'pulls.create', kind: 'status', status: 401 }),
    expect: RECOVERED,
  },
  {
    id: 'app-tokens-refused',
    title: '401 for every token of the App',
    arrange: ({ fault }) => fault({ op: '*', kind: 'status', status: 401, times: FOREVER }),
    expect: failsWith('git_host_unauthorized'),
  },
  {
    id: 'app-not-installed',
    title: 'the App is not installed on the repository',
    arrange: ({ fault }) => fault({ op: 'apps.getRepoInstallation', kind: 'status', status: 404, times: FOREVER }),
    expect: failsWith('github_installation_missing'),
  },
  {
    id: 'app-suspended',
    title: 'the installation is suspended (403)',
    arrange: ({ fault }) => {
      const message = 'This installation has been suspended'
      fault({ op: 'apps.createInstallationAccessToken', kind: 'status', status: 403, message, times: FOREVER })
    },
    expect: failsWith('github_permission_missing'),
  },
  {
    id: 'app-permissions',
    title: 'the App may not have the access it asks for (422)',
    arrange: ({ fault }) => {
      const message = 'The permissions requested are not granted to this installation.'
      fault({ op: 'apps.createInstallationAccessToken', kind: 'status', status: 422, message, times: FOREVER })
    },
    expect: failsWith('github_permission_missing'),
  },
  {
    id: 'app-refused',
    title: 'the host refuses the App itself (401: wrong key or id, wrong clock)',
    arrange: ({ fault }) => fault({ op: 'apps.getRepoInstallation', kind: 'status', status: 401, times: FOREVER }),
    expect: failsWith('github_app_refused'),
  },
  {
    id: 'app-mint-502',
    title: '5xx when a token is minted, once',
    arrange: ({ fault }) => fault({ op: 'apps.createInstallationAccessToken', kind: 'status', status: 502 }),
    expect: RECOVERED,
  },
  {
    id: 'app-mint-outage',
    title: '5xx when a token is minted, for hours',
    arrange: ({ fault }) => fault({ op: 'apps.getRepoInstallation', kind: 'status', status: 503, times: FOREVER }),
    attemptsUsed: 3,
    expect: failsWith('git_host_server_error', { waits: OUTAGE.slice(3) }),
  },
  {
    id: 'app-limit',
    title: '403 with a long `Retry-After` when a token is minted',
    arrange: ({ fault }) =>
      fault({ op: 'apps.getRepoInstallation', kind: 'status', status: 403, headers: { 'retry-after': '75' } }),
    expect: { ...RECOVERED, waits: [{ reason: 'waiting', seconds: 75 }] },
  },
]
