import type { ChildProcess } from 'node:child_process'
import net from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** Waits until a server accepts connections on a loopback port. Throws if it exits before, or after 10 s. */
export async function waitUntilListening(port: number, child: ChildProcess): Promise<void> {
  for (let tries = 0; tries < 400; tries += 1) {
    if (child.exitCode !== null || child.signalCode !== null) {
      throw new Error(`${child.spawnfile} exited during startup`)
    }
    if (await accepts(port)) return
    await sleep(25)
  }
  throw new Error(`${child.spawnfile} did not accept connections on port ${port} within 10 s`)
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = net.connect(port, '127.0.0.1', () => {
      socket.destroy()
      resolve(true)
    })
    socket.on('error', () => resolve(false))
  })
}
