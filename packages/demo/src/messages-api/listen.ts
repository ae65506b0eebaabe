import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Listening {
  /** Origin, such as http://127.0.0.1:41234. */
  url: string
  /** Closes the server and cuts open connections. */
  close(): Promise<void>
}

/**
 * Listens on 127.0.0.1.
 * @param port 0 selects a free port
 */
export async function listenOnLoopback(server: Server, port = 0): Promise<Listening> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
