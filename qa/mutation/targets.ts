/** A file in which a wrong line is costly, with the tests that must fail for a mutant of it. */
export interface Target {
  /** From the root of the repository, like the tests. */
  readonly file: string
  /** In the same package as the file: the sandbox of a run links other packages unmutated. */
  readonly tests: readonly string[]
  /** Lowest share of mutants that the tests must kill, in percent. */
  readonly score: number
}

const target = (
  folder: string,
  name: string,
  score: number,
  tests: readonly string[] = [`${name}.test.ts`],
): Target => ({
  file: `${folder}/${name}.ts`,
  tests: tests.map((test) => `${folder}/${test}`),
  score,
})

export const TARGETS: readonly Target[] = [
  target('packages/core/src/leases', 'write-fenced', 80),
  target('packages/core/src/leases', 'renew-lease', 80, ['write-fenced.test.ts', 'hold-lease.test.ts']),
  target('packages/core/src/leases', 'hold-lease', 80),
  target('packages/core/src/jobs', 'count-quota', 80, ['create-job.test.ts', 'send-message.test.ts']),
  target('packages/core/src/keys', 'find-key', 80),
  target('packages/core/src/hosts', 'is-public-address', 80),
  target('packages/git/src/workspace', 'path-rules', 80),
  target('packages/git/src/text', 'redact-secrets', 80),
  target('packages/git/src/commit', 'push-branch', 80),
  target('packages/agent/src/policy', 'path-policy', 80),
  target('packages/agent/src/policy', 'check-policy', 80),
  target('packages/agent/src/policy', 'find-secrets', 80),
  target('apps/api/src/auth', 'access', 80, ['authenticate.test.ts', '../dashboard/access.test.ts']),
  target('apps/worker/src/publish', 'ensure-pull-request', 80, [
    'ensure-pull-request.test.ts',
    'ensure-pull-request-faults.test.ts',
  ]),
  target('apps/worker/src/git-host/github', 'same-origin-fetch', 80, ['open-client.test.ts']),
]
