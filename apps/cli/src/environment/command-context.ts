import type { Readable, Writable } from 'node:stream'
import type { Env } from '@corrigenda/core/runtime'

/** The inputs and outputs that a command receives from its process. */
export interface CommandContext {
  readonly env: Env
  /**
   * Working directory. The embedded mode keeps its state below it, and relative paths are resolved
   * from it.
   */
  readonly cwd: string
  readonly stdin: Readable & { readonly isTTY?: boolean }
  readonly stdout: Writable & { readonly isTTY?: boolean }
  readonly stderr: Writable
  /**
   * Sets the exit code of a command that succeeded with a negative result, such as a failed job.
   */
  setExitCode(code: number): void
}

/** The part that locates the settings and the state folder. */
export type CommandPlace = Pick<CommandContext, 'env' | 'cwd'>
