import { parse } from 'yaml'
import { z } from 'zod'
import { GitHostError } from '../git-host/git-host-error.ts'
import type { Workflows } from '../git-host/workflows.ts'

const MAX_BYTES = 256 * 1024

const Declares = z.object({
  on: z.object({ workflow_dispatch: z.object({ inputs: z.record(z.string(), z.unknown()) }) }),
})

/**
 * Returns the names of the inputs that the workflow declares at the ref, because GitHub rejects a
 * dispatch with an undeclared input. Empty if the file cannot be read: the dispatch that follows
 * reports the error.
 */
export async function listInputs(
  workflows: Workflows,
  input: { workflow: string; ref: string },
): Promise<ReadonlySet<string>> {
  try {
    const file = await workflows.findFile(input)
    return file === null ? new Set() : readInputs(file)
  } catch (error) {
    if (error instanceof GitHostError && error.code !== 'aborted') return new Set()
    throw error
  }
}

/** Returns the names of the inputs that a workflow file declares; empty for an unreadable file. */
export function readInputs(file: Buffer): ReadonlySet<string> {
  if (file.length > MAX_BYTES) return new Set()
  try {
    const declared = Declares.safeParse(parse(file.toString('utf8'), { logLevel: 'silent' }))
    return new Set(Object.keys(declared.data?.on.workflow_dispatch.inputs ?? {}))
  } catch {
    return new Set()
  }
}
