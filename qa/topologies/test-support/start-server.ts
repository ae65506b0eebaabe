import { spawn } from 'node:child_process'
import { createWriteStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { waitUntilListening } from '@corrigenda/testkit'
import { onTestFinished } from 'vitest'

interface TestServer {
  readonly port: number
  readonly pid: number
  kill(signal?: NodeJS.Signals): Promise<void>
}

/**
 * Starts a program in the foreground and waits until it accepts connections. It is stopped at the end
 * of the test.
 * @param input.log file for its output
 * @param input.stop signal at the end of the test. Default: SIGKILL
 */
export async function startServer(input: {
  program: string
  args: readonly string[]
  port: number
  log: string
  stop?: NodeJS.Signals
}): Promise<TestServer> {
  const { program, args, port, log, stop = 'SIGKILL' } = input
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  const file = createWriteStream(log)
  child.stdout.pipe(file, { end: false })
  child.stderr.pipe(file, { end: false })
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const kill = async (signal: NodeJS.Signals = stop) => {
    child.kill(signal)
    await exited
  }
  onTestFinished(() => kill())
  await waitUntilListening(port, child).catch(async (error) => {
    throw new Error(`${error.message}: ${await readFile(log, 'utf8')}`)
  })
  return { port, pid: child.pid ?? -1, kill }
}
