import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { CommandResult } from './run-cli.ts'

const main = fileURLToPath(new URL('../../dist/main.js', import.meta.url))

/** A long-running command of the built CLI, started the way an operator starts it. */
export interface RunningProcess {
  readonly child: ChildProcess
  /** Returns the output so far, from both streams. */
  readonly output: () => string
  /** Stops the process the way `docker stop` does and returns the exit code. */
  stop(signal?: NodeJS.Signals): Promise<number | null>
}

/** Starts the built CLI with only the given environment variables and this process's PATH. */
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

/**
 * Runs a command as a separate process until it exits. Used to test exit codes and services that
 * fail to start.
 */
export async function runProcess(
  cwd: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<CommandResult> {
  const { child } = startProcess(cwd, args, env)
  let [out, err] = ['', '']
  child.stdout?.on('data', (chunk) => (out += chunk))
  child.stderr?.on('data', (chunk) => (err += chunk))
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve))
  return { code, out, err }
}
