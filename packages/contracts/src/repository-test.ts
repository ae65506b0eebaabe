import { z } from 'zod'

const timestamp = z.iso.datetime({ precision: 3 })

/** The steps of a test, in the order in which they run. `source` runs once per source of the project. */
export const RepositoryTestStepName = z.enum([
  'host_allowed',
  'credential_present',
  'repository_reachable',
  'base_branch',
  'contents_read',
  'push_allowed',
  'pull_requests_write',
  'checks_read',
  'actions_write',
  'workflow_secrets',
  'source',
])
export type RepositoryTestStepName = z.infer<typeof RepositoryTestStepName>

/** One step. `skipped` means that the step does not apply or an earlier step failed. */
export const RepositoryTestStep = z.object({
  name: RepositoryTestStepName,
  /** Name of the source that the step tests. Omitted for the documentation repository. */
  source: z.string().optional(),
  status: z.enum(['passed', 'failed', 'skipped']),
  /** True if jobs can run although the step failed. */
  optional: z.boolean().optional(),
  /** The result, or how to fix the problem. */
  message: z.string(),
})
export type RepositoryTestStep = z.infer<typeof RepositoryTestStep>

/**
 * A test of a project's connection to its repository and its sources, run by a worker. It does not
 * push or change any files.
 */
export const RepositoryTest = z.object({
  id: z.string(),
  status: z.enum(['waiting', 'running', 'done']),
  /**
   * Null until the test has ended. True if jobs can run, even if steps that jobs do not need have
   * failed.
   */
  ok: z.boolean().nullable(),
  /** Steps in order. The list grows while the test runs. */
  steps: z.array(RepositoryTestStep),
  /**
   * Missing permissions for the documentation repository, as GitHub names them, such as "Contents:
   * read and write".
   */
  missing: z.array(z.string()),
  createdAt: timestamp,
  endedAt: timestamp.nullable(),
})
export type RepositoryTest = z.infer<typeof RepositoryTest>

/** Response to POST /dashboard/api/projects/{projectId}/repository-tests. */
export const RepositoryTestAccepted = z.object({ id: z.string() })
export type RepositoryTestAccepted = z.infer<typeof RepositoryTestAccepted>
