import { randomInt } from 'node:crypto'
import net from 'node:net'

/** Below the ports that Linux and macOS assign to outgoing connections (32768 and above). */
const PORTS = [10_000, 32_000] as const

/**
 * Returns a free loopback port. An outgoing connection cannot take the port before a server listens
 * on it, because systems assign other ports to outgoing connections.
 */
export async function findFreePort(): Promise<number> {
  for (;;) {
    const port = randomInt(...PORTS)
    if (await isFree(port)) return port
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const probe = net.createServer()
    probe.on('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' || error.code === 'EACCES' ? resolve(false) : reject(error),
    )
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)))
  })
}
