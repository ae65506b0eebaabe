import { COMPLETES, type FaultRow, FOREVER, failsWith, OUTAGE, type Scene } from './fault-row.ts'
import {
  AFTER_GRANT,
  NO_FOREIGN_REDIRECT,
  NO_RETRY,
  RELEASE_REPEATEDLY,
  RETRY_THREE,
  WAIT_RELEASED,
  WHEN_HOST_IS_BACK,
  WITH_FINAL_URL,
  WITH_VALID_TOKEN,
} from './reactions.ts'

const elsewhere = 'https://elsewhere.example/acme/api.git/info/refs?service=git-upload-pack'
const AFTER_REPAIR = 'After you correct or remove the source'
const names = /^The source api cannot be read\. /

/** Returns a permanent error for every request about the source. */
const always =
  (status: number, headers: Record<string, string> = {}) =>
  ({ sourceFault }: Scene) =>
    sourceFault({ op: '*', kind: 'status', status, headers, times: FOREVER })

/** Git host faults while a source of the project is read. */
export const SOURCE_ROWS: readonly FaultRow[] = [
  {
    id: 'source-gone',
    title: 'the host returns 404 because the source is missing or hidden from the token',
    reaction: NO_RETRY,
    advice: AFTER_REPAIR,
    source: 'missing',
    expect: failsWith('source_unavailable', { message: names }),
  },
  {
    id: 'source-401',
    title: 'the host returns 401 because the token of the source is revoked or expired',
    reaction: NO_RETRY,
    advice: WITH_VALID_TOKEN,
    source: 'code',
    arrange: always(401),
    expect: failsWith('source_unavailable', { message: names }),
  },
  {
    id: 'source-403',
    title: 'the host returns 403 because the token has no read access to the source',
    reaction: NO_RETRY,
    advice: AFTER_GRANT,
    source: 'code',
    arrange: always(403),
    expect: failsWith('source_unavailable', { message: names }),
  },
  {
    id: 'source-redirect-away',
    title: 'the host redirects requests for the source to a different host',
    reaction: NO_FOREIGN_REDIRECT,
    advice: WITH_FINAL_URL,
    source: 'code',
    arrange: always(301, { location: elsewhere }),
    expect: failsWith('source_unavailable', { message: names }),
  },
  {
    id: 'source-renamed',
    title: 'the source is renamed and the host redirects to its new name',
    reaction: 'Follows the redirect.',
    source: 'code',
    arrange: ({ host, source }) => host.rename(source, `${source}-renamed`),
    expect: COMPLETES,
  },
  {
    id: 'source-empty',
    title: 'the source has no commits',
    reaction: NO_RETRY,
    advice: 'After you push a commit',
    source: 'empty',
    expect: failsWith('source_unavailable', { message: /^The source api cannot be read\. .*no commits/ }),
  },
  {
    id: 'source-too-large',
    title: 'the host returns 413 for the files of the source',
    reaction: NO_RETRY,
    advice: 'No',
    source: 'code',
    arrange: ({ sourceFault }) => sourceFault({ op: 'git.fetch', kind: 'status', status: 413, times: FOREVER }),
    expect: failsWith('source_unavailable', { message: names }),
  },
  {
    id: 'source-502',
    title: 'the host returns 5xx a few times for the source',
    reaction: RETRY_THREE,
    source: 'code',
    arrange: ({ sourceFault }) => sourceFault({ op: 'git.fetch', kind: 'status', status: 502, times: 2 }),
    expect: COMPLETES,
  },
  {
    id: 'source-503-always',
    title: 'the host returns 5xx for the source every time',
    reaction: RELEASE_REPEATEDLY,
    advice: WHEN_HOST_IS_BACK,
    source: 'code',
    arrange: ({ sourceFault }) => sourceFault({ op: 'git.fetch', kind: 'status', status: 503, times: FOREVER }),
    expect: failsWith('git_host_server_error', { waits: OUTAGE }),
  },
  {
    id: 'source-429-long-wait',
    title: 'the host returns 429 with a `Retry-After` of more than 10 s for the source',
    reaction: WAIT_RELEASED,
    source: 'code',
    arrange: ({ sourceFault }) =>
      sourceFault({ op: 'git.fetch', kind: 'status', status: 429, headers: { 'retry-after': '75' } }),
    expect: { ...COMPLETES, waits: [{ reason: 'waiting', seconds: 75 }] },
  },
  {
    id: 'source-visibility-hidden',
    title: 'the host does not report the visibility of the source',
    reaction: 'Treats the source as private. The pull request does not cite it.',
    source: 'code',
    arrange: ({ sourceFault }) => sourceFault({ op: 'repos.get', kind: 'status', status: 403, times: FOREVER }),
    expect: COMPLETES,
  },
  {
    id: 'source-history-hidden',
    title: 'the host refuses to list the commits of the source',
    reaction: 'Continues without the recent changes. The agent can read the files.',
    source: 'code',
    arrange: ({ sourceFault }) => sourceFault({ op: 'repos.listCommits', kind: 'status', status: 403, times: FOREVER }),
    expect: COMPLETES,
  },
  {
    id: 'source-ref-gone',
    title: "the request's `ref` of the source does not exist",
    reaction: NO_RETRY,
    advice: 'With an existing branch, tag or commit',
    source: 'code',
    request: { sources: [{ name: 'api', ref: 'absent' }] },
    expect: failsWith('source_unavailable', { message: /no commit, branch or tag "absent"/ }),
  },
  {
    id: 'source-since-gone',
    title: "the request's `since` of the source does not exist",
    reaction: NO_RETRY,
    advice: 'With an existing commit, tag or date',
    source: 'code',
    request: { sources: [{ name: 'api', since: 'v0.absent' }] },
    expect: failsWith('source_unavailable', { message: /no commit, branch or tag "v0\.absent"/ }),
  },
  {
    id: 'source-pull-gone',
    title: "the request's `pullRequest` of the source does not exist",
    reaction: NO_RETRY,
    advice: 'With an existing pull request',
    source: 'code',
    request: { sources: [{ name: 'api', pullRequest: 4711 }] },
    expect: failsWith('source_unavailable', { message: /Pull request 4711 does not exist/ }),
  },
]
