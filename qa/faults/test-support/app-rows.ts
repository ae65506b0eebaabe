import { COMPLETES, type FaultRow, FOREVER, failsWith, OUTAGE } from './fault-row.ts'
import {
  AFTER_GRANT,
  NO_RETRY,
  RETRY_CALL,
  RETRY_RUN,
  WAIT_RELEASED,
  WHEN_HOST_IS_BACK,
  WITH_VALID_TOKEN,
} from './reactions.ts'

/** Git host faults with a GitHub App instead of a token. */
export const APP_ROWS: readonly FaultRow[] = [
  {
    id: 'app-token-refused-read',
    title: 'the host returns 401 for an App token while the repository is being read',
    reaction: 'Creates one new token and retries the call with it.',
    arrange: ({ fault }) => fault({ op: 'git.fetch', kind: 'status', status: 401 }),
    expect: COMPLETES,
  },
  {
    id: 'app-token-refused-push',
    title: 'the host returns 401 for an App token during the push',
    reaction: 'Creates one new token and retries the call with it.',
    arrange: ({ fault }) => fault({ op: 'git.push', kind: 'status', status: 401 }),
    expect: COMPLETES,
  },
  {
    id: 'app-token-refused-pull',
    title: 'the host returns 401 for an App token while the pull request is being created',
    reaction: 'Creates one new token and retries the call with it.',
    arrange: ({ fault }) => fault({ op: 'pulls.create', kind: 'status', status: 401 }),
    expect: COMPLETES,
  },
  {
    id: 'app-tokens-refused',
    title: 'the host returns 401 for every App token',
    reaction: 'Creates one new token. Does not retry after the second 401.',
    advice: WITH_VALID_TOKEN,
    arrange: ({ fault }) => fault({ op: '*', kind: 'status', status: 401, times: FOREVER }),
    expect: failsWith('git_host_unauthorized'),
  },
  {
    id: 'app-not-installed',
    title: 'the App is not installed on the repository',
    reaction: NO_RETRY,
    advice: 'After you install the App',
    arrange: ({ fault }) => fault({ op: 'apps.getRepoInstallation', kind: 'status', status: 404, times: FOREVER }),
    expect: failsWith('github_installation_missing'),
  },
  {
    id: 'app-suspended',
    title: 'the host returns 403 because the installation is suspended',
    reaction: NO_RETRY,
    advice: 'After you unsuspend the installation',
    arrange: ({ fault }) => {
      const message = 'This installation has been suspended'
      fault({ op: 'apps.createInstallationAccessToken', kind: 'status', status: 403, message, times: FOREVER })
    },
    expect: failsWith('github_permission_missing'),
  },
  {
    id: 'app-permissions',
    title: 'the host returns 422 because the App lacks a permission',
    reaction: NO_RETRY,
    advice: AFTER_GRANT,
    arrange: ({ fault }) => {
      const message = 'The permissions requested are not granted to this installation.'
      fault({ op: 'apps.createInstallationAccessToken', kind: 'status', status: 422, message, times: FOREVER })
    },
    expect: failsWith('github_permission_missing'),
  },
  {
    id: 'app-refused',
    title: 'the host returns 401 for the App itself (wrong key, ID or clock)',
    reaction: NO_RETRY,
    advice: 'With the correct key, ID and clock',
    arrange: ({ fault }) => fault({ op: 'apps.getRepoInstallation', kind: 'status', status: 401, times: FOREVER }),
    expect: failsWith('github_app_refused'),
  },
  {
    id: 'app-mint-502',
    title: 'a token request returns 5xx once',
    reaction: RETRY_CALL,
    arrange: ({ fault }) => fault({ op: 'apps.createInstallationAccessToken', kind: 'status', status: 502 }),
    expect: COMPLETES,
  },
  {
    id: 'app-mint-outage',
    title: 'token requests return 5xx for hours',
    reaction: RETRY_RUN,
    advice: WHEN_HOST_IS_BACK,
    arrange: ({ fault }) => fault({ op: 'apps.getRepoInstallation', kind: 'status', status: 503, times: FOREVER }),
    attemptsUsed: 3,
    expect: failsWith('git_host_server_error', { waits: OUTAGE.slice(3) }),
  },
  {
    id: 'app-limit',
    title: 'a token request returns 403 with a long `Retry-After`',
    reaction: WAIT_RELEASED,
    arrange: ({ fault }) =>
      fault({ op: 'apps.getRepoInstallation', kind: 'status', status: 403, headers: { 'retry-after': '75' } }),
    expect: { ...COMPLETES, waits: [{ reason: 'waiting', seconds: 75 }] },
  },
]
