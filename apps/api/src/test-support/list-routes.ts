import type { FastifyInstance } from 'fastify'

/**
 * Returns all of the application's endpoints in the form `GET /path/:id`, without HEAD and
 * unsupported methods.
 */
export async function listRoutes(app: FastifyInstance): Promise<string[]> {
  const parents: string[] = []
  const routes: string[] = []
  for (const line of app.printRoutes({ commonPrefix: false }).split('\n')) {
    const [, indent = '', part] = /^([│ ]*)[├└]── (\S*) \(/.exec(line) ?? []
    if (part === undefined) continue
    const depth = indent.length / 4
    const path = (parents[depth - 1] ?? '') + part
    parents[depth] = path
    const { headers } = await app.inject({ method: 'OPTIONS', url: path.replace('*', 'x') })
    const methods = String(headers.allow ?? '').split(', ')
    for (const method of methods) if (method && method !== 'HEAD') routes.push(`${method} ${path}`)
  }
  return routes
}
