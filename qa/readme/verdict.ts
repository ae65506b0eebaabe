import type { ShellResult } from './shell.ts'

/** Result of one README command. */
export interface Verdict {
  readonly state: 'ok' | 'FAIL' | 'skipped'
  readonly text: string
}

/** @param text reported if the command succeeded */
export function toVerdict({ code, output }: ShellResult, text: string): Verdict {
  if (code === 0) return { state: 'ok', text }
  return { state: 'FAIL', text: `exit code ${code}\n${output.trim().slice(-4000)}` }
}
