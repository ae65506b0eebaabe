import { spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'

export type Env = Readonly<Record<string, string | undefined>>

export interface ShellResult {
  readonly code: number | null
  readonly output: string
}

/** Runs a command in the clone until it exits, with additional environment variables. */
export type Shell = (command: string, env?: Env) => Promise<ShellResult>

export interface RunningCommand {
  /** Returns the output so far, from both streams. */
  output(): string
  readonly ended: Promise<ShellResult>
  /**
   * Waits until the output matches.
   * @throws Error with the output if the command exits or the timeout expires without a match
   */
  waitFor(pattern: RegExp, timeoutMs: number): Promise<void>
  /** Interrupts the command as Ctrl-C does and waits for it to exit. Kills it after 30 seconds. */
  interrupt(): Promise<ShellResult>
}

/** Starts a command in a separate process group, so that signals also reach its children. */
export function startCommand(command: string, { cwd, env }: { cwd: string; env: Env }): RunningCommand {
  const child = spawn('bash', ['-c', command], {
    cwd,
    env: { ...env },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      output += chunk
    })
  }
  let hasEnded = false
  const ended = new Promise<ShellResult>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => {
      hasEnded = true
      resolve({ code, output })
    })
  })
  const signal = (name: NodeJS.Signals) => {
    if (child.pid !== undefined && !hasEnded) process.kill(-child.pid, name)
  }
  return {
    output: () => output,
    ended,
    async waitFor(pattern, timeoutMs) {
      const deadline = Date.now() + timeoutMs
      while (!pattern.test(output)) {
        if (hasEnded || Date.now() > deadline)
          throw new Error(`No match for ${pattern.source}:\n${output.slice(-4000)}`)
        await sleep(200)
      }
    },
    async interrupt() {
      signal('SIGINT')
      const timer = setTimeout(() => signal('SIGKILL'), 30_000)
      try {
        return await ended
      } finally {
        clearTimeout(timer)
      }
    },
  }
}
