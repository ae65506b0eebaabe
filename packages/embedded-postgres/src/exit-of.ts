import type { ChildProcess } from 'node:child_process'

/** Returns the child's exit code, its signal, or the reason why it could not be started. */
export function exitOf(child: ChildProcess): Promise<number | string> {
  return new Promise((resolve) => {
    child.on('exit', (code, signal) => resolve(code ?? signal ?? 'unknown'))
    child.on('error', (error) => resolve(error.message))
  })
}

export const lastLine = (text: string): string => text.trim().split('\n').at(-1)?.trim() ?? ''
