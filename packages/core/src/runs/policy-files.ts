import { PolicyFile } from '@corrigenda/contracts'
import { z } from 'zod'

/** A policy file of the repository as a run found it: where, which version (blob id), and what it says. */
export const RunPolicyFile = z.object({ path: z.string(), blob: z.string(), policy: PolicyFile })
export type RunPolicyFile = z.infer<typeof RunPolicyFile>

/**
 * What `runs.policy_files` holds; null: nothing.
 * @throws ZodError for rules this version does not know: they must not be passed over
 */
export const toPolicyFiles = (stored: unknown): RunPolicyFile[] => z.array(RunPolicyFile).parse(stored ?? [])
