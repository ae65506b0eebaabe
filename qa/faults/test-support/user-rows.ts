import { type FaultRow, FOREVER, failsWith, RECOVERED, type Scene } from './fault-row.ts'

const later = { kind: 'apply-then-status', status: 429, headers: { 'retry-after': '75' } } as const
const waited = [{ reason: 'waiting', seconds: 75 }] as const

/** Pull requests that the host rejects, and concurrent actions of users. */
export const USER_ROWS: readonly FaultRow[] = [
  {
    id: 'pull-refused',
    title: '422 for any other reason',
    arrange: ({ fault }) =>
      fault({ op: 'pulls.create', kind: 'status', status: 422, message: 'Validation Failed', times: FOREVER }),
    expect: failsWith('git_host_validation', { pushed: true, message: /Validation Failed/ }),
  },
  {
    id: 'pull-base-deleted',
    title: 'the base branch is deleted meanwhile',
    request: { ref: 'next' },
    arrange: ({ host, full }) => commit(host, full, 'next'),
    duringAgent: async ({ host, full }) => {
      await host.git(full, 'update-ref', '-d', 'refs/heads/next')
    },
    expect: failsWith('pull_request_invalid_base', { pushed: true }),
  },
  {
    id: 'pull-base-has-it',
    title: 'the base branch has got the same commit meanwhile',
    arrange: (scene) => atCreation(scene, (branch) => ['update-ref', 'refs/heads/main', branch]),
    expect: failsWith('pull_request_no_commits', { pushed: true }),
  },
  {
    id: 'pull-branch-deleted',
    title: 'somebody deletes the branch between push and pull request',
    arrange: (scene) => atCreation(scene, (branch) => ['update-ref', '-d', `refs/heads/${branch}`]),
    expect: failsWith('pull_request_invalid_head', { pushed: true }),
  },
  {
    id: 'pull-branch-rewritten',
    title: 'somebody puts other commits in place of ours before the pull request is opened',
    arrange: async (scene) => {
      await commit(scene.host, scene.full, 'mine')
      atCreation(scene, (branch) => ['update-ref', `refs/heads/${branch}`, 'refs/heads/mine'])
    },
    expect: failsWith('pull_request_head_mismatch', { pushed: true, pulls: 1 }),
  },
  {
    id: 'pull-branch-extended',
    title: 'somebody adds commits on top of ours before the pull request is opened',
    arrange: (scene) => {
      const { host, full, fault } = scene
      fault({ op: 'pulls.create', kind: 'delay', meanwhile: async () => commit(host, full, await findBranch(scene)) })
    },
    expect: RECOVERED,
  },
  {
    id: 'pull-closed',
    title: 'people close the pull request while the job waits',
    arrange: ({ fault }) => fault({ op: 'pulls.create', ...later }),
    duringWait: ({ host, full }) => host.closePull(full, 1),
    expect: { ...RECOVERED, waits: waited },
  },
  {
    id: 'pull-closed-branch-deleted',
    title: 'people close the pull request and delete its branch while the job waits',
    arrange: ({ fault }) => fault({ op: 'pulls.create', ...later }),
    duringWait: ({ host, full }) => host.closePull(full, 1, { deleteBranch: true }),
    expect: { ...RECOVERED, waits: waited },
  },
  {
    id: 'pull-merged',
    title: 'people merge the pull request and delete its branch while the job waits',
    arrange: ({ fault }) => fault({ op: 'pulls.create', ...later }),
    duringWait: ({ host, full }) => host.closePull(full, 1, { merge: true, deleteBranch: true }),
    expect: { ...RECOVERED, waits: waited },
  },
  {
    id: 'pull-labels-refused',
    title: 'the labels are refused',
    request: { labels: ['docs'] },
    arrange: ({ fault }) => fault({ op: 'issues.addLabels', kind: 'status', status: 403, times: FOREVER }),
    expect: RECOVERED,
  },
  {
    id: 'pull-no-drafts',
    title: '422: draft pull requests are not supported here',
    request: { draft: true },
    arrange: ({ fault }) => {
      const message = 'Draft pull requests are not supported in this repository.'
      fault({ op: 'pulls.create', kind: 'status', status: 422, message })
    },
    expect: RECOVERED,
  },
]

async function commit(host: Scene['host'], full: string, branch: string): Promise<void> {
  await host.pushCommit(full, branch, { message: 'docs: more', files: new Map([['more.md', { data: '# More\n' }]]) })
}

function atCreation(scene: Scene, toArguments: (branch: string) => string[]): void {
  const meanwhile = async () => {
    await scene.host.git(scene.full, ...toArguments(await findBranch(scene)))
  }
  scene.fault({ op: 'pulls.create', kind: 'delay', meanwhile })
}

async function findBranch({ host, full }: Scene): Promise<string> {
  const refs = await host.git(full, 'for-each-ref', '--format=%(refname:short)', 'refs/heads/corrigenda')
  return refs.split('\n')[0] ?? ''
}
