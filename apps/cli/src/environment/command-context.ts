import type { Readable, Writable } from 'node:stream'
import type { Env } from '@corrigenda/core/runtime'

/** What a command takes from the process that runs it, and where its output goes. */
export interface CommandContext {
  readonly env: Env
  /** Folder of the command: the embedded mode keeps its state below it, and relative paths start here. */
  readonly cwd: string
  readonly stdin: Readable & { readonly isTTY?: boolean }
  readonly stdout: Writable & { readonly isTTY?: boolean }
  readonly stderr: Writable
  /** Sets the exit code of a command that worked and whose answer is "no", such as a job that failed. */
  setExitCode(code: number): void
}

/** The part that finds the settings and the state folder. */
export type CommandPlace = Pick<CommandContext, 'env' | 'cwd'>
