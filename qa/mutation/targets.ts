import path from 'node:path'

/** A file where a bug would be costly, with the tests that must detect its mutants. */
export interface Target {
  /** Relative to the repository root, like the tests. */
  readonly file: string
  /** In the same package as the file, because other packages are linked without mutations. */
  readonly tests: readonly string[]
  /** Minimum share of mutants that the tests must kill, in percent. */
  readonly score: number
}

/** The default for files without a measured score. */
const MIN_SCORE = 60

const target = (folder: string, name: string, options: { tests?: readonly string[]; score?: number } = {}): Target => ({
  file: `${folder}/${name}.ts`,
  tests: (options.tests ?? [`${name}.test.ts`]).map((test) => path.posix.join(folder, test)),
  score: options.score ?? MIN_SCORE,
})

export const TARGETS: readonly Target[] = [
  target('packages/core/src/leases', 'write-fenced', { score: 100 }),
  target('packages/core/src/leases', 'renew-lease', {
    tests: ['write-fenced.test.ts', 'hold-lease.test.ts'],
    score: 92,
  }),
  target('packages/core/src/leases', 'hold-lease'),
  target('packages/core/src/jobs', 'count-quota', { tests: ['create-job.test.ts', 'send-message.test.ts'] }),
  target('packages/core/src/keys', 'find-principal'),
  target('packages/core/src/hook-addresses', 'is-public-address', { score: 95 }),
  target('packages/git/src/workspace', 'path-rules', { score: 99 }),
  target('packages/git/src/text', 'redact-secrets', { score: 97 }),
  target('packages/git/src/commit', 'push-branch'),
  target('packages/agent/src/policy', 'path-policy'),
  target('packages/agent/src/policy', 'check-policy'),
  target('packages/agent/src/policy', 'find-secrets'),
  target('apps/api/src/auth', 'access', { tests: ['authenticate.test.ts', '../dashboard/access.test.ts'] }),
  target('apps/worker/src/publish', 'ensure-pull-request', {
    tests: ['ensure-pull-request.test.ts', 'ensure-pull-request-faults.test.ts'],
  }),
  target('apps/worker/src/git-host/github', 'same-origin-fetch', { tests: ['open-client.test.ts'] }),
]
