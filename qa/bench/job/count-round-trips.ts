import net from 'node:net'

/** A proxy in front of Postgres that counts its clients' round trips. */
export interface RoundTrips {
  readonly port: number
  count(): number
  close(): Promise<void>
}

const QUERY = 'Q'.charCodeAt(0)
const SYNC = 'S'.charCodeAt(0)

/**
 * Counts the messages after which a client waits for the server: Query and Sync
 * (https://www.postgresql.org/docs/current/protocol-flow.html).
 */
export async function countRoundTrips(target: number): Promise<RoundTrips> {
  let count = 0
  const sockets = new Set<net.Socket>()
  const server = net.createServer({ noDelay: true }, (client) => {
    const upstream = net.connect({ port: target, host: '127.0.0.1', noDelay: true })
    const onMessage = buildReader((type) => {
      if (type === QUERY || type === SYNC) count += 1
    })
    client.on('data', onMessage)
    client.pipe(upstream).pipe(client)
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        sockets.delete(socket)
        client.destroy()
        upstream.destroy()
      })
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as net.AddressInfo).port,
    count: () => count,
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Splits a client's bytes into messages. The first one, the start of the session, has no type. */
function buildReader(onType: (type: number) => void): (chunk: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0)
  let isStarted = false
  return (chunk) => {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    for (;;) {
      const at = isStarted ? 1 : 0
      if (rest.length < at + 4) return
      const end = at + rest.readUInt32BE(at)
      if (rest.length < end) return
      if (isStarted) onType(rest[0] ?? 0)
      isStarted = true
      rest = rest.subarray(end)
    }
  }
}
