import net from 'node:net'

/** A closed loop: each connection sends its next request when it has received the response. */
export interface Load {
  readonly port: number
  readonly connections: number
  readonly seconds: number
  /** Requests as sent on the connection. Each connection starts at another one. */
  readonly requests: readonly string[]
}

export interface LoadResult {
  /** Responses per second with the status 200, 201 or 304. */
  readonly perSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
  /** Number of other responses, by status. */
  readonly others: Readonly<Record<string, number>>
}

/** Runs in a process of its own, so that it does not share an event loop with the server. */
process.on('message', async (load: Load) => process.send?.(await run(load)))
process.once('disconnect', () => process.exit(0))

async function run({ port, connections, seconds, requests }: Load): Promise<LoadResult> {
  const latencies: number[] = []
  const others: Record<string, number> = {}
  const startedAt = performance.now()
  const endsAt = startedAt + seconds * 1_000
  await Promise.all(
    Array.from({ length: connections }, async (_, n) => {
      const socket = net.connect(port, '127.0.0.1').setNoDelay()
      try {
        for (let next = n; performance.now() < endsAt; next += 1) {
          const sentAt = performance.now()
          socket.write(requests[next % requests.length] ?? '')
          const status = await readResponse(socket)
          if (status === 200 || status === 201 || status === 304) latencies.push(performance.now() - sentAt)
          else others[status] = (others[status] ?? 0) + 1
        }
      } finally {
        socket.destroy()
      }
    }),
  )
  const took = (performance.now() - startedAt) / 1_000
  latencies.sort((a, b) => a - b)
  const at = (share: number) => latencies[Math.floor(latencies.length * share)] ?? 0
  return { perSecond: latencies.length / took, p50Ms: at(0.5), p99Ms: at(0.99), others }
}

/** Reads one response, whose body has a `Content-Length` or is absent. Returns its status. */
function readResponse(socket: net.Socket): Promise<number> {
  return new Promise((resolve, reject) => {
    let received = ''
    const end = () => {
      socket.off('data', read)
      socket.off('error', fail)
      socket.off('close', fail)
    }
    const read = (chunk: Buffer) => {
      received += chunk.toString('latin1')
      const headEnd = received.indexOf('\r\n\r\n')
      if (headEnd === -1) return
      const length = Number(/\r\ncontent-length: (\d+)/i.exec(received.slice(0, headEnd))?.[1] ?? 0)
      if (received.length < headEnd + 4 + length) return
      end()
      resolve(Number(received.slice(9, 12)))
    }
    const fail = (error?: unknown) => {
      end()
      reject(error instanceof Error ? error : new Error('The server closed the connection.'))
    }
    socket.on('data', read)
    socket.on('error', fail)
    socket.on('close', fail)
  })
}
