import { parse } from 'yaml'
import { z } from 'zod'
import { GitHostError } from '../git-host/git-host-error.ts'
import type { Workflows } from '../git-host/workflows.ts'

/** Input that a workflow may declare to be told which deployment it is of; with it in `run-name`, its run is found for certain. */
export const CORRELATION_INPUT = 'corrigenda_status_id'

const MAX_BYTES = 256 * 1024

const Declares = z.object({
  on: z.object({
    workflow_dispatch: z.object({
      inputs: z.object({ [CORRELATION_INPUT]: z.unknown().refine((v) => v !== undefined) }),
    }),
  }),
})

/** Whether the workflow, as it stands on the ref, declares the input: GitHub refuses a dispatch with an input that is not declared. */
export async function takesCorrelation(
  workflows: Workflows,
  input: { workflow: string; ref: string },
): Promise<boolean> {
  try {
    const file = await workflows.findFile(input)
    return file !== null && declaresCorrelation(file)
  } catch (error) {
    // The dispatch itself will tell what is wrong.
    if (error instanceof GitHostError && error.code !== 'aborted') return false
    throw error
  }
}

/** A file that cannot be read declares nothing. */
export function declaresCorrelation(file: Buffer): boolean {
  if (file.length > MAX_BYTES) return false
  try {
    return Declares.safeParse(parse(file.toString('utf8'), { logLevel: 'silent' })).success
  } catch {
    return false
  }
}
