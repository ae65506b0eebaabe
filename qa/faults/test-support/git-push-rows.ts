import { COMPLETES, type FaultRow, FOREVER, failsWith, OUTAGE, type Scene } from './fault-row.ts'
import {
  AFTER_GRANT,
  AFTER_UNARCHIVING,
  AFTER_URL_OR_ACCESS,
  NO_RETRY,
  RETRY_RUN,
  WAIT_RELEASED,
  WHEN_HOST_IS_BACK,
  WITH_FINAL_URL,
  WITH_OTHER_BRANCH,
  WITH_VALID_TOKEN,
} from './reactions.ts'

/** Git host faults while the branch is pushed. */
export const GIT_PUSH_ROWS: readonly FaultRow[] = [
  {
    id: 'git-push-401',
    title: 'the host returns 401 because the token was revoked while the agent was working',
    reaction: NO_RETRY,
    advice: WITH_VALID_TOKEN,
    arrange: ({ fault }) => fault({ op: 'git.push', kind: 'status', status: 401, times: FOREVER }),
    expect: failsWith('git_host_unauthorized'),
  },
  {
    id: 'git-push-read-only',
    title: 'the host returns 403 because the token has only read access',
    reaction: NO_RETRY,
    advice: AFTER_GRANT,
    arrange: ({ host, full }) => host.setReadOnly(full, true),
    expect: failsWith('git_host_forbidden', { message: /Permission to/ }),
    both: true,
  },
  {
    id: 'git-push-archived',
    title: 'the repository is archived while the agent is working',
    reaction: NO_RETRY,
    advice: AFTER_UNARCHIVING,
    duringAgent: ({ host, full }) => host.archive(full, true),
    expect: failsWith('git_host_archived'),
  },
  {
    id: 'git-push-deleted',
    title: 'the repository is deleted while the agent is working',
    reaction: NO_RETRY,
    advice: AFTER_URL_OR_ACCESS,
    duringAgent: ({ host, full }) => host.deleteRepository(full),
    expect: failsWith('git_host_not_found'),
  },
  {
    id: 'git-push-renamed',
    title: 'the repository is renamed while the agent is working',
    reaction: 'Follows the redirect to the new name once.',
    duringAgent: ({ host, full }) => host.rename(full, `${full}-renamed`),
    expect: COMPLETES,
  },
  {
    id: 'git-push-redirect-away',
    title: 'the host redirects to a different host',
    reaction: 'Does not follow the redirect.',
    advice: WITH_FINAL_URL,
    arrange: ({ fault }) => {
      const headers = { location: 'https://elsewhere.example/acme/docs.git/git-receive-pack' }
      fault({ op: 'git.push', kind: 'status', status: 307, headers, times: FOREVER })
    },
    expect: failsWith('git_host_redirected'),
  },
  {
    id: 'git-push-protected',
    title: 'the branch is protected',
    reaction: "Does not retry. The failure message contains the host's reason.",
    advice: WITH_OTHER_BRANCH,
    request: { branch: 'docs/protected' },
    arrange: ({ host, full }) => host.protect(full, 'docs/protected'),
    expect: failsWith('branch_protected', { message: /GH006/ }),
  },
  {
    id: 'git-push-hook',
    title: 'a hook or rule on the host rejects the push',
    reaction: "Does not retry. The failure message contains the host's reason.",
    advice: WITH_OTHER_BRANCH,
    arrange: ({ host, full }) => host.refusePushes(full, 'Commits must name a ticket.'),
    expect: failsWith('branch_protected', { message: /ticket/ }),
  },
  {
    id: 'git-push-too-large',
    title: 'the host returns 413',
    reaction: NO_RETRY,
    advice: 'No',
    arrange: ({ fault }) => fault({ op: 'git.push', kind: 'status', status: 413, times: FOREVER }),
    expect: failsWith('git_host_too_large'),
  },
  {
    id: 'git-push-foreign-branch',
    title: "the branch already exists and has another author's commits",
    reaction: "Overwrites nothing. The branch must be absent or point to the job's commit.",
    advice: WITH_OTHER_BRANCH,
    request: { branch: 'docs/taken' },
    arrange: takeBranch,
    expect: failsWith('branch_conflict'),
  },
  {
    id: 'git-push-raced',
    title: 'another user creates the branch during the push',
    reaction: 'Overwrites nothing. The host verifies the branch before updating it.',
    advice: WITH_OTHER_BRANCH,
    request: { branch: 'docs/taken' },
    arrange: (scene) => scene.fault({ op: 'git.push', kind: 'delay', meanwhile: () => takeBranch(scene) }),
    expect: failsWith('branch_conflict'),
  },
  {
    id: 'git-push-short-wait',
    title: 'the host returns 429 with a `Retry-After` of a few seconds',
    reaction: 'Waits as requested, at most 10 s, then retries the push.',
    arrange: ({ fault }) => fault({ op: 'git.push', kind: 'status', status: 429, headers: { 'retry-after': '1' } }),
    expect: COMPLETES,
  },
  {
    id: 'git-push-long-wait',
    title: 'the host returns 403 with a `Retry-After` of more than 10 s',
    reaction: WAIT_RELEASED,
    arrange: ({ fault }) => fault({ op: 'git.push', kind: 'status', status: 403, headers: { 'retry-after': '75' } }),
    expect: { ...COMPLETES, waits: [{ reason: 'waiting', seconds: 75 }] },
  },
  {
    id: 'git-push-502',
    title: 'the host returns 5xx once',
    reaction: "Checks the branch's state, then retries the push.",
    arrange: ({ fault }) => fault({ op: 'git.push', kind: 'status', status: 502 }),
    expect: COMPLETES,
  },
  {
    id: 'git-push-503-outage',
    title: 'the host returns 5xx for hours',
    reaction: RETRY_RUN,
    advice: WHEN_HOST_IS_BACK,
    arrange: ({ fault }) => fault({ op: 'git.push', kind: 'status', status: 503, times: FOREVER }),
    expect: failsWith('git_host_server_error', { waits: OUTAGE }),
  },
  {
    id: 'git-push-applied-reset',
    title: 'the push succeeds and the response is lost',
    reaction: 'Checks the branch before any retry. Pushes only once.',
    arrange: ({ fault }) => fault({ op: 'git.push', kind: 'apply-then-reset' }),
    expect: COMPLETES,
    both: true,
  },
  {
    id: 'git-push-applied-502',
    title: 'the push succeeds and the host returns 5xx',
    reaction: 'Checks the branch before any retry. Pushes only once.',
    arrange: ({ fault }) => fault({ op: 'git.push', kind: 'apply-then-status', status: 502 }),
    expect: COMPLETES,
  },
  {
    id: 'git-push-applied-outage',
    title: 'the push succeeds and the host becomes unavailable',
    reaction: 'Releases the run, retries after 5 s and finds the branch. Pushes only once.',
    arrange: ({ fault }) => {
      const meanwhile = async () => fault({ op: '*', kind: 'status', status: 503, times: 3 })
      fault({ op: 'git.push', kind: 'apply-then-reset', meanwhile })
    },
    expect: { ...COMPLETES, waits: OUTAGE.slice(0, 1) },
  },
]

async function takeBranch({ host, full }: Scene): Promise<void> {
  await host.pushCommit(full, 'docs/taken', { message: 'mine', files: new Map([['mine.md', { data: 'mine\n' }]]) })
}
