import { parse } from 'yaml'
import { z } from 'zod'
import { GitHostError } from '../git-host/git-host-error.ts'
import type { Workflows } from '../git-host/workflows.ts'

/**
 * Input that a workflow may declare to receive the deployment id. If the workflow includes it in
 * `run-name`, its run can be identified reliably.
 */
export const CORRELATION_INPUT = 'corrigenda_status_id'

const MAX_BYTES = 256 * 1024

const Declares = z.object({
  on: z.object({
    workflow_dispatch: z.object({
      inputs: z.object({ [CORRELATION_INPUT]: z.unknown().refine((v) => v !== undefined) }),
    }),
  }),
})

/**
 * Returns whether the workflow declares the input at the ref. GitHub rejects a dispatch with an
 * undeclared input.
 */
export async function takesCorrelation(
  workflows: Workflows,
  input: { workflow: string; ref: string },
): Promise<boolean> {
  try {
    const file = await workflows.findFile(input)
    return file !== null && declaresCorrelation(file)
  } catch (error) {
    // The dispatch that follows reports the error.
    if (error instanceof GitHostError && error.code !== 'aborted') return false
    throw error
  }
}

/** Returns whether the file declares the input; false for a file that cannot be read. */
export function declaresCorrelation(file: Buffer): boolean {
  if (file.length > MAX_BYTES) return false
  try {
    return Declares.safeParse(parse(file.toString('utf8'), { logLevel: 'silent' })).success
  } catch {
    return false
  }
}
