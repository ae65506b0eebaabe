import { type FaultRow, FOREVER, failsWith, OUTAGE, RECOVERED, type Scene } from './fault-row.ts'

/** Faults of the Git host while the branch is pushed. */
export const GIT_PUSH_ROWS: readonly FaultRow[] = [
  {
    id: 'git-push-401',
    title: '401: the token was revoked while the agent worked',
    arrange: ({ fault }) => fault({ op: 'git.push', kind: 'status', status: 401, times: FOREVER }),
    expect: failsWith('git_host_unauthorized'),
  },
  {
    id: 'git-push-read-only',
    title: '403: the token can read and not push',
    arrange: ({ host, full }) => host.setReadOnly(full, true),
    expect: failsWith('git_host_forbidden', { message: /Permission to/ }),
    both: true,
  },
  {
    id: 'git-push-archived',
    title: 'the repository is archived meanwhile',
    duringAgent: ({ host, full }) => host.archive(full, true),
    expect: failsWith('git_host_archived'),
  },
  {
    id: 'git-push-deleted',
    title: 'the repository is deleted meanwhile',
    duringAgent: ({ host, full }) => host.deleteRepository(full),
    expect: failsWith('git_host_not_found'),
  },
  {
    id: 'git-push-renamed',
    title: 'the repository is renamed meanwhile',
    duringAgent: ({ host, full }) => host.rename(full, `${full}-renamed`),
    expect: RECOVERED,
  },
  {
    id: 'git-push-redirect-away',
    title: 'redirect to another host',
    arrange: ({ fault }) => {
      const headers = { location: 'https://elsewhere.example/acme/docs.git/git-receive-pack' }
      fault({ op: 'git.push', kind: 'status', status: 307, headers, times: FOREVER })
    },
    expect: failsWith('git_host_redirected'),
  },
  {
    id: 'git-push-protected',
    title: 'the branch is protected',
    request: { branch: 'docs/protected' },
    arrange: ({ host, full }) => host.protect(full, 'docs/protected'),
    expect: failsWith('branch_protected', { message: /GH006/ }),
  },
  {
    id: 'git-push-hook',
    title: 'a hook or rule of the host refuses the push',
    arrange: ({ host, full }) => host.refusePushes(full, 'Commits must name a ticket.'),
    expect: failsWith('branch_protected', { message: /ticket/ }),
  },
  {
    id: 'git-push-too-large',
    title: '413',
    arrange: ({ fault }) => fault({ op: 'git.push', kind: 'status', status: 413, times: FOREVER }),
    expect: failsWith('git_host_too_large'),
  },
  {
    id: 'git-push-foreign-branch',
    title: 'the branch exists with commits of somebody else',
    request: { branch: 'docs/taken' },
    arrange: takeBranch,
    expect: failsWith('branch_conflict'),
  },
  {
    id: 'git-push-raced',
    title: 'somebody else makes the branch at the same moment',
    request: { branch: 'docs/taken' },
    arrange: (scene) => scene.fault({ op: 'git.push', kind: 'delay', meanwhile: () => takeBranch(scene) }),
    expect: failsWith('branch_conflict'),
  },
  {
    id: 'git-push-short-wait',
    title: '429 with `Retry-After` of seconds',
    arrange: ({ fault }) => fault({ op: 'git.push', kind: 'status', status: 429, headers: { 'retry-after': '1' } }),
    expect: RECOVERED,
  },
  {
    id: 'git-push-long-wait',
    title: '403 with `Retry-After` of more than ten seconds',
    arrange: ({ fault }) => fault({ op: 'git.push', kind: 'status', status: 403, headers: { 'retry-after': '75' } }),
    expect: { ...RECOVERED, waits: [{ reason: 'waiting', seconds: 75 }] },
  },
  {
    id: 'git-push-502',
    title: '5xx, once',
    arrange: ({ fault }) => fault({ op: 'git.push', kind: 'status', status: 502 }),
    expect: RECOVERED,
  },
  {
    id: 'git-push-503-outage',
    title: '5xx for hours',
    arrange: ({ fault }) => fault({ op: 'git.push', kind: 'status', status: 503, times: FOREVER }),
    expect: failsWith('git_host_server_error', { waits: OUTAGE }),
  },
  {
    id: 'git-push-applied-reset',
    title: 'the push happens and its answer is lost',
    arrange: ({ fault }) => fault({ op: 'git.push', kind: 'apply-then-reset' }),
    expect: RECOVERED,
    both: true,
  },
  {
    id: 'git-push-applied-502',
    title: 'the push happens and the answer is 5xx',
    arrange: ({ fault }) => fault({ op: 'git.push', kind: 'apply-then-status', status: 502 }),
    expect: RECOVERED,
  },
  {
    id: 'git-push-applied-outage',
    title: 'the push happens, then the host is away',
    arrange: ({ fault }) => {
      const meanwhile = async () => fault({ op: '*', kind: 'status', status: 503, times: 3 })
      fault({ op: 'git.push', kind: 'apply-then-reset', meanwhile })
    },
    expect: { ...RECOVERED, waits: OUTAGE.slice(0, 1) },
  },
]

async function takeBranch({ host, full }: Scene): Promise<void> {
  await host.pushCommit(full, 'docs/taken', { message: 'mine', files: new Map([['mine.md', { data: 'mine\n' }]]) })
}
