import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { z } from 'zod'
import type { Arrival, Order } from '../history/history.ts'

const Memory = z.object({ worker: z.string(), rss: z.number(), heap: z.number() })
export type Memory = z.infer<typeof Memory>

const Ready = z.object({ worker: z.string(), pid: z.number() })

interface Control {
  readonly url: string
  close(): Promise<void>
}

interface ControlInput {
  /**
   * Decides whether a worker continues, exits or pauses at a point. The run waits for the decision.
   */
  onArrival(arrival: Arrival): Promise<Order>
  /** Called once the worker has started consuming the queue. */
  onReady(worker: string): void
  onMemory(memory: Memory): void
}

/** Starts a server for the workers' reports on a separate loopback port. */
export async function startControl(input: ControlInput): Promise<Control> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
    const body: unknown = JSON.parse(Buffer.concat(chunks).toString())
    if (request.url !== '/point') {
      if (request.url === '/memory') input.onMemory(Memory.parse(body))
      else input.onReady(Ready.parse(body).worker)
      response.end('{}')
      return
    }
    // Not validated, because only worker-process.ts sends this request.
    const order = await input.onArrival(body as Arrival)
    response.end(JSON.stringify({ order }))
  })
  server.keepAliveTimeout = 60_000
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
