import { type ChildProcess, spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
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

/**
 * Starts the built CLI with only the given environment variables and this process's PATH.
 * @param program main module of the CLI; default: this version's
 */
export function startProcess(
  cwd: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  program: string = main,
): RunningProcess {
  const child = spawn(process.execPath, [program, ...args], {
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
 * Returns the address at which a process started with `api` and `PORT=0` listens. Throws with the
 * output when the process exits first.
 */
export async function waitForUrl({ child, output }: RunningProcess): Promise<string> {
  for (;;) {
    const url = /"url":"(http:[^"]+)".*"api listening"/.exec(output())?.[1]
    if (url !== undefined) return url
    if (child.exitCode !== null || child.signalCode !== null) throw new Error(`The API exited:\n${output()}`)
    await sleep(50)
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
  program: string = main,
): Promise<CommandResult> {
  const { child } = startProcess(cwd, args, env, program)
  let [out, err] = ['', '']
  child.stdout?.on('data', (chunk) => (out += chunk))
  child.stderr?.on('data', (chunk) => (err += chunk))
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve))
  return { code, out, err }
}
