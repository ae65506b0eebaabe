import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import path from 'node:path'

/** A service of the built CLI. */
export interface Service {
  readonly pid: number
  /** Stops the service as `docker stop` does. Idempotent. */
  stop(): Promise<void>
}

const { resolve } = createRequire(import.meta.url)
const CLI = path.join(path.dirname(resolve('@corrigenda/qa/package.json')), '../apps/cli/dist/main.js')
const START_LIMIT_MS = 60_000

/**
 * Starts a service with only the given environment variables and this process's PATH.
 * @param input.isReady called with the output so far, until it returns true
 */
export async function startService(input: {
  name: 'api' | 'worker'
  nodeArgs?: readonly string[]
  env: Readonly<Record<string, string>>
  isReady: (output: string) => boolean | Promise<boolean>
}): Promise<Service> {
  const child = spawn(process.execPath, [...(input.nodeArgs ?? []), CLI, input.name], {
    env: { PATH: process.env.PATH ?? '', ...input.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const exited = once(child, 'exit')
  const kill = () => child.kill('SIGKILL')
  process.once('exit', kill)
  child.once('exit', () => process.off('exit', kill))
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      output = `${output}${chunk}`.slice(-20_000)
    })
  }
  const stop = async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill()
    await exited
  }
  const deadline = Date.now() + START_LIMIT_MS
  while (!(await input.isReady(output))) {
    if (Date.now() > deadline || child.exitCode !== null) {
      child.kill('SIGKILL')
      throw new Error(`The ${input.name} did not start.\n${output}`)
    }
    await new Promise((done) => setTimeout(done, 50))
  }
  return { pid: child.pid ?? -1, stop }
}
