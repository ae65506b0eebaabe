import http from 'node:http'
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client'

export interface Metrics {
  readonly registry: Registry
  /** Port that the endpoint listens on. */
  readonly port: number
  close(): Promise<void>
}

/**
 * Serves the metrics of this process at `/metrics`, in the text format of Prometheus. Includes the
 * standard metrics of the process, such as its memory and event loop delay. The endpoint has no
 * authentication.
 * @param input.port 0 selects a free port
 */
export async function openMetrics(input: { port: number; version: string }): Promise<Metrics> {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const info = { name: 'corrigenda_build_info', help: 'Version of this process. Always 1.', labelNames: ['version'] }
  new Gauge({ ...info, registers: [registry] }).set({ version: input.version }, 1)
  const server = http.createServer((request, response) => {
    if (request.url !== '/metrics') {
      response.writeHead(404).end('Not found. The metrics are at /metrics.\n')
      return
    }
    registry.metrics().then(
      (text) => response.writeHead(200, { 'content-type': registry.contentType }).end(text),
      (error: Error) => response.writeHead(500).end(`The metrics could not be collected: ${error.message}.\n`),
    )
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(input.port, () => resolve())
  })
  const address = server.address()
  return {
    registry,
    port: typeof address === 'object' && address !== null ? address.port : input.port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
