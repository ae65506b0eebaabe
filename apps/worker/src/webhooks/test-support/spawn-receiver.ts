import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { onTestFinished } from 'vitest'
import type { Received } from './start-receiver.ts'

/** Prints its port, then every request as one line. Held requests never receive a response. */
const SCRIPT = `
const { createServer } = require('node:http')
const print = (value) => process.stdout.write(JSON.stringify(value) + '\\n')
const holdEvery = Number(process.env.HOLD_EVERY)
let n = 0
const server = createServer(async (request, response) => {
  let body = ''
  for await (const chunk of request) body += chunk
  n += 1
  print({ headers: request.headers, body })
  if (holdEvery === 0 || n % holdEvery !== 0) response.writeHead(200).end('{"received":true}')
})
server.listen(Number(process.env.PORT), '127.0.0.1', () => print({ port: server.address().port }))
`

interface ReceiverProcess {
  readonly port: number
  readonly received: Pick<Received, 'headers' | 'body'>[]
  /** Sends SIGKILL, which stops all work immediately. */
  kill(): Promise<void>
}

/**
 * Starts a receiver in a separate process. The process is killed when the test finishes, if not
 * earlier.
 */
export async function spawnReceiver(input: { port: number; holdEvery: number }): Promise<ReceiverProcess> {
  const child = spawn(process.execPath, ['--eval', SCRIPT], {
    env: { PATH: process.env.PATH ?? '', PORT: String(input.port), HOLD_EVERY: String(input.holdEvery) },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  onTestFinished(() => void child.kill('SIGKILL'))
  const received: ReceiverProcess['received'][number][] = []
  const port = await new Promise<number>((resolve, reject) => {
    void exited.then(() => reject(new Error('the receiver exited before it started listening')))
    createInterface(child.stdout).on('line', (line) => {
      const said = JSON.parse(line)
      if (typeof said.port === 'number') resolve(said.port)
      else received.push(said)
    })
  })
  return {
    port,
    received,
    async kill() {
      child.kill('SIGKILL')
      await exited
    },
  }
}
