import type { Readable, Writable } from 'node:stream'
import type { Env } from '@corrigenda/core/runtime'

/** The inputs and outputs that a command receives from its process. */
export interface CommandContext {
  readonly env: Env
  /**
   * Working directory. Embedded mode stores its state here, and relative paths are resolved against
   * it.
   */
  readonly cwd: string
  readonly stdin: Readable & { readonly isTTY?: boolean }
  readonly stdout: Writable & { readonly isTTY?: boolean }
  readonly stderr: Writable
  /**
   * Sets the exit code of a command that ran successfully but reports a failure, such as a failed
   * job.
   */
  setExitCode(code: number): void
}

/** The fields that locate the settings and the state folder. */
export type CommandPlace = Pick<CommandContext, 'env' | 'cwd'>
