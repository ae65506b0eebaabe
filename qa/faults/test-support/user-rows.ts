import { COMPLETES, type FaultRow, FOREVER, failsWith, type Scene } from './fault-row.ts'
import { NO_RETRY, REPORT_AS_IS, WITH_OTHER_BRANCH } from './reactions.ts'

const later = { kind: 'apply-then-status', status: 429, headers: { 'retry-after': '75' } } as const
const waited = [{ reason: 'waiting', seconds: 75 }] as const

/** Pull requests that the host rejects, and concurrent user actions. */
export const USER_ROWS: readonly FaultRow[] = [
  {
    id: 'pull-refused',
    title: 'the host returns 422 for any other reason',
    reaction: NO_RETRY,
    advice: 'After you remove the cause',
    arrange: ({ fault }) =>
      fault({ op: 'pulls.create', kind: 'status', status: 422, message: 'Validation Failed', times: FOREVER }),
    expect: failsWith('git_host_validation', { pushed: true, message: /Validation Failed/ }),
  },
  {
    id: 'pull-base-deleted',
    title: 'the base branch is deleted while the agent is working',
    reaction: NO_RETRY,
    advice: 'With an existing base branch',
    request: { ref: 'next' },
    arrange: ({ host, full }) => commit(host, full, 'next'),
    duringAgent: async ({ host, full }) => {
      await host.git(full, 'update-ref', '-d', 'refs/heads/next')
    },
    expect: failsWith('pull_request_invalid_base', { pushed: true }),
  },
  {
    id: 'pull-base-has-it',
    title: 'the base branch already contains the commit',
    reaction: 'Does not retry. The pull request would be empty.',
    advice: 'No. The base branch already contains the change',
    arrange: (scene) => atCreation(scene, (branch) => ['update-ref', 'refs/heads/main', branch]),
    expect: failsWith('pull_request_no_commits', { pushed: true }),
  },
  {
    id: 'pull-branch-deleted',
    title: 'a user deletes the branch after the push',
    reaction: 'Sends at most four create requests, because the host may lag. Does not push again.',
    advice: 'Yes',
    arrange: (scene) => atCreation(scene, (branch) => ['update-ref', '-d', `refs/heads/${branch}`]),
    expect: failsWith('pull_request_invalid_head', { pushed: true }),
  },
  {
    id: 'pull-branch-rewritten',
    title: "a user replaces the branch's commits after the push",
    reaction: 'Stops. The pull request contains the commits that are now on the branch.',
    advice: WITH_OTHER_BRANCH,
    arrange: async (scene) => {
      await commit(scene.host, scene.full, 'mine')
      atCreation(scene, (branch) => ['update-ref', `refs/heads/${branch}`, 'refs/heads/mine'])
    },
    expect: failsWith('pull_request_head_mismatch', { pushed: true, pulls: 1 }),
  },
  {
    id: 'pull-branch-extended',
    title: 'a user adds commits to the branch after the push',
    reaction: "Opens the pull request, which includes the job's commit.",
    arrange: (scene) => {
      const { host, full, fault } = scene
      fault({ op: 'pulls.create', kind: 'delay', meanwhile: async () => commit(host, full, await findBranch(scene)) })
    },
    expect: COMPLETES,
  },
  {
    id: 'pull-closed',
    title: 'a user closes the pull request while the job is waiting',
    reaction: REPORT_AS_IS,
    arrange: ({ fault }) => fault({ op: 'pulls.create', ...later }),
    duringWait: ({ host, full }) => host.closePull(full, 1),
    expect: { ...COMPLETES, waits: waited },
  },
  {
    id: 'pull-closed-branch-deleted',
    title: 'a user closes the pull request and deletes its branch while the job is waiting',
    reaction: "Reports the pull request's state. Does not open a second one or push the branch.",
    arrange: ({ fault }) => fault({ op: 'pulls.create', ...later }),
    duringWait: ({ host, full }) => host.closePull(full, 1, { deleteBranch: true }),
    expect: { ...COMPLETES, waits: waited },
  },
  {
    id: 'pull-merged',
    title: 'a user merges the pull request and deletes its branch while the job is waiting',
    reaction: "Reports the pull request's state. Does not open a second one or push the branch.",
    arrange: ({ fault }) => fault({ op: 'pulls.create', ...later }),
    duringWait: ({ host, full }) => host.closePull(full, 1, { merge: true, deleteBranch: true }),
    expect: { ...COMPLETES, waits: waited },
  },
  {
    id: 'pull-labels-refused',
    title: 'the host rejects the labels',
    reaction: 'Continues without labels.',
    request: { labels: ['docs'] },
    arrange: ({ fault }) => fault({ op: 'issues.addLabels', kind: 'status', status: 403, times: FOREVER }),
    expect: COMPLETES,
  },
  {
    id: 'pull-no-drafts',
    title: 'the host returns 422 because the repository does not support drafts',
    reaction: 'Opens the pull request as ready for review.',
    request: { draft: true },
    arrange: ({ fault }) => {
      const message = 'Draft pull requests are not supported in this repository.'
      fault({ op: 'pulls.create', kind: 'status', status: 422, message })
    },
    expect: COMPLETES,
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
