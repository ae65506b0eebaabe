import net, { type AddressInfo } from 'node:net'

/** Opens a TCP proxy for Postgres that can stop forwarding while connections stay open. */
export async function openStallingProxy(databaseUrl: string) {
  const target = new URL(databaseUrl)
  const sockets = new Set<net.Socket>()
  let isStalled = false
  const forward = (from: net.Socket, to: net.Socket) => {
    sockets.add(from)
    from.on('data', (data) => isStalled || to.write(data))
    from.on('error', () => {})
    from.on('close', () => to.destroy())
  }
  const server = net.createServer((client) => {
    const upstream = net.connect(Number(target.port), target.hostname)
    forward(client, upstream)
    forward(upstream, client)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = new URL(databaseUrl)
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url: url.href,
    stall() {
      isStalled = true
    },
    close() {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}
