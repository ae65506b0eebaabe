import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const main = fileURLToPath(new URL('../../dist/main.js', import.meta.url))

/** A long-running command of the built command line, as an operator starts it. */
export interface RunningProcess {
  readonly child: ChildProcess
  /** Everything it has printed so far. */
  readonly output: () => string
  /** Ends it as `docker stop` does; answers the exit code. */
  stop(signal?: NodeJS.Signals): Promise<number | null>
}

export function startProcess(
  cwd: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): RunningProcess {
  const child = spawn(process.execPath, [main, ...args], {
    cwd,
    env: { PATH: process.env.PATH ?? '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      output += chunk
    })
  }
  const exited = new Promise<number | null>((resolve) => child.on('exit', resolve))
  return {
    child,
    output: () => output,
    stop(signal = 'SIGTERM') {
      child.kill(signal)
      return exited
    },
  }
}
