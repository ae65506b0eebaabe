import { RunPolicyFile } from '@corrigenda/contracts'
import { z } from 'zod'

/**
 * Parses the `runs.policy_files` column. Null yields an empty list.
 * @throws ZodError for rules that this version does not support, because ignoring them would relax
 * the policy
 */
export const toPolicyFiles = (stored: unknown): RunPolicyFile[] => z.array(RunPolicyFile).parse(stored ?? [])
