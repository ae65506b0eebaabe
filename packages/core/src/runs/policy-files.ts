import { RunPolicyFile } from '@corrigenda/contracts'
import { z } from 'zod'

/**
 * Parses the column `runs.policy_files`. Null yields an empty list.
 * @throws ZodError for rules that this version does not support: skipping them would widen the
 * policy
 */
export const toPolicyFiles = (stored: unknown): RunPolicyFile[] => z.array(RunPolicyFile).parse(stored ?? [])
