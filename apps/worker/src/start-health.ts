import http from 'node:http'
import type { Database } from '@corrigenda/core/db'

/**
 * Starts a health endpoint for orchestrators. It responds with 200 while the worker can reach its
 * database and with 503 while it cannot.
 */
export async function startHealth(
  port: number,
  { prisma }: Pick<Database, 'prisma'>,
): Promise<{ close(): Promise<void> }> {
  const server = http.createServer(async (_request, response) => {
    const ready = await prisma.instance.count().then(
      () => true,
      () => false,
    )
    response.writeHead(ready ? 200 : 503, { 'content-type': 'application/json; charset=utf-8' })
    response.end(JSON.stringify(ready ? { status: 'ready' } : { error: 'The database is unreachable.' }))
  })
  await new Promise<void>((resolve, reject) => {
    server.on('error', reject)
    server.listen(port, () => resolve())
  })
  return {
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
