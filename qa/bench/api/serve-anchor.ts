import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import pg from 'pg'

interface Anchor {
  get(path: string, handler: (request: { params: Record<string, string> }) => Promise<unknown>): void
  listen(options: { host: string; port: number }): Promise<string>
}

/**
 * Serves what the API is compared with, on the API's own HTTP server: a constant, and statements
 * through `pg` without authentication, validation or limits.
 */
const require = createRequire(fileURLToPath(import.meta.resolve('@corrigenda/api')))
const app: Anchor = require('fastify')()
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 20 })
const constant = { text: 'x'.repeat(900) }
app.get('/constant', async () => constant)
app.get('/job/:id', async ({ params }) => {
  const text = 'SELECT * FROM jobs WHERE id = $1'
  return (await pool.query({ name: 'job', text, values: [params.id] })).rows[0]
})
app.get('/jobs/:id', async ({ params }) => {
  const text = 'SELECT * FROM jobs WHERE project_id = $1 ORDER BY created_at DESC, id DESC LIMIT 20'
  return (await pool.query({ name: 'jobs', text, values: [params.id] })).rows
})
process.send?.(await app.listen({ host: '127.0.0.1', port: 0 }))
process.once('disconnect', () => process.exit(0))
