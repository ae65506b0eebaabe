import type { Mutant } from './mutant.ts'

const authenticateTests = ['apps/api/src/authenticate.test.ts']
const createTests = ['packages/core/src/jobs/create-job.test.ts']
const cancelTests = ['packages/core/src/jobs/cancel-job.test.ts']
const routeTests = ['apps/api/src/routes/agent-jobs.test.ts']

/** Who may do what over the API, and how often. */
export const ACCESS_MUTANTS: readonly Mutant[] = [
  {
    name: 'quota-lock',
    guard: 'quota',
    file: 'packages/core/src/jobs/count-quota.ts',
    find: 'SELECT pg_advisory_xact_lock(hashtextextended(',
    replace: 'SELECT (hashtextextended(',
    tests: createTests,
    only: '300 parallel creations',
  },
  {
    name: 'quota-before-access',
    guard: 'quota after access',
    file: 'apps/api/src/routes/agent-jobs.ts',
    find: '{ onRequest: write, schema: { params: ProjectParams, body: CreateAgentJobRequest } }',
    // As a limiter does that counts in an earlier hook.
    replace: `{
        async onRequest(request, reply) {
          const { projectId } = request.params as { projectId: string }
          await createJob(deps, { projectId, request: { prompt: 'counted' }, idempotencyKey: null }).catch(request.log.debug)
          await write.call(this, request, reply)
        },
        schema: { params: ProjectParams, body: CreateAgentJobRequest },
      }`,
    tests: routeTests,
    only: 'the quota: exactly 100',
  },
  {
    name: 'body-before-access',
    guard: 'quota after access',
    file: 'apps/api/src/routes/agent-jobs.ts',
    find: '{ onRequest: write, schema: { params: ProjectParams, body: CreateAgentJobRequest } }',
    replace: '{ preHandler: write, schema: { params: ProjectParams, body: CreateAgentJobRequest } }',
    tests: authenticateTests,
    only: 'every invalid key gets',
  },
  {
    name: 'idempotency-lock',
    guard: 'idempotency',
    file: 'packages/core/src/jobs/find-stored-answer.ts',
    find: 'SELECT pg_try_advisory_xact_lock(',
    replace: 'SELECT true OR pg_try_advisory_xact_lock(',
    tests: createTests,
    only: 'a second request with an idempotency key',
  },
  {
    name: 'idempotency-body',
    guard: 'idempotency',
    file: 'packages/core/src/jobs/find-stored-answer.ts',
    find: 'if (!hashRequest(request).equals(stored.requestHash)) {',
    replace: 'if (stored.requestHash.length === 0) {',
    tests: createTests,
    only: 'an idempotency key replays',
  },
  {
    name: 'key-hash',
    guard: 'key hash',
    file: 'packages/core/src/keys/find-key.ts',
    find: 'if (!row || !matches || row.revokedAt',
    replace: 'if (!row || row.revokedAt',
    tests: ['packages/core/src/keys/find-key.test.ts'],
  },
  {
    name: 'key-revoked',
    guard: 'key hash',
    file: 'packages/core/src/keys/find-key.ts',
    find: 'if (!row || !matches || row.revokedAt ||',
    replace: 'if (!row || !matches ||',
    tests: authenticateTests,
    only: 'every invalid key gets',
  },
  {
    name: 'tenant-of-key',
    guard: 'tenant',
    file: 'apps/api/src/authenticate.ts',
    find: "if (projectId !== principal.projectId) throw new AppError('not_found', 'Not found.')",
    replace: '',
    tests: authenticateTests,
    only: 'missing and foreign projects',
  },
  {
    name: 'tenant-of-job',
    guard: 'tenant',
    file: 'packages/core/src/jobs/get-job.ts',
    find: 'where: { id: input.id, projectId: input.projectId }',
    replace: 'where: { id: input.id }',
    tests: createTests,
    only: 'found by its project only',
  },
  {
    name: 'tenant-of-events',
    guard: 'tenant',
    file: 'packages/core/src/jobs/list-events.ts',
    find: 'where: { id: input.id, projectId: input.projectId }',
    replace: 'where: { id: input.id }',
    tests: authenticateTests,
    only: 'missing and foreign projects',
  },
  {
    name: 'tenant-of-cancel',
    guard: 'tenant',
    file: 'packages/core/src/jobs/cancel-job.ts',
    find: ' AND project_id = ',
    replace: " AND '' <> ",
    tests: cancelTests,
    only: "another project's job",
  },
  {
    name: 'tenant-of-cancelled-job',
    guard: 'tenant',
    file: 'packages/core/src/jobs/cancel-job.ts',
    find: 'const where = { id: input.id, projectId: input.projectId }',
    replace: 'const where = { id: input.id }',
    tests: cancelTests,
    only: "another project's job",
  },
  {
    name: 'scope',
    guard: 'scope',
    file: 'apps/api/src/authenticate.ts',
    find: 'if (!principal.scopes.includes(scope)) {',
    replace: 'if (principal.scopes.length < 0) {',
    tests: authenticateTests,
    only: 'scope and address',
  },
]
