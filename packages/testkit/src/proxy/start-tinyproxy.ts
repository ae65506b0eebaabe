import { spawn } from 'node:child_process'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { findFreePort } from '@corrigenda/embedded-postgres'
import { waitUntilListening } from '../debian/wait-until-listening.ts'

/**
 * Starts Tinyproxy on a free loopback port. It requires the credentials, and sends all connections
 * on to another proxy, which resolves the names.
 * @param input.program see findTinyproxy
 * @param input.next the other proxy, without credentials
 */
export async function startTinyproxy(input: { program: string; next: string; user: string; password: string }) {
  const dir = await mkdtemp(path.join(os.tmpdir(), 'corrigenda-tinyproxy-'))
  const port = await findFreePort()
  const file = path.join(dir, 'tinyproxy.conf')
  await writeFile(
    file,
    `Port ${port}
Listen 127.0.0.1
Timeout 60
MaxClients 200
Allow 127.0.0.1
BasicAuth ${input.user} ${input.password}
ConnectPort 443
upstream http ${new URL(input.next).host}
`,
  )
  await chmod(dir, 0o755)
  const child = spawn(input.program, ['-d', '-c', file], { stdio: 'ignore' })
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  await waitUntilListening(port, child)
  return {
    url: `http://${input.user}:${input.password}@127.0.0.1:${port}`,
    async close() {
      child.kill('SIGKILL')
      await exited
      await rm(dir, { recursive: true, force: true })
    },
  }
}
