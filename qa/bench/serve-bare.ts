import fastify from 'fastify'
import pg from 'pg'

/**
 * Serves what the API is compared with, on the API's own HTTP server: a constant, and statements
 * through `pg` without authentication, validation or limits.
 */
const app = fastify()
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 20 })
await pool.query('CREATE TABLE bare_jobs (id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY, prompt text NOT NULL)')
const constant = { text: 'x'.repeat(900) }
app.get('/constant', async () => constant)
app.post<{ Body: { prompt: string } }>('/job', async ({ body }) => {
  const text = 'INSERT INTO bare_jobs (prompt) VALUES ($1) RETURNING *'
  return (await pool.query({ name: 'create', text, values: [body.prompt] })).rows[0]
})
app.get<{ Params: { id: string } }>('/job/:id', async ({ params }) => {
  const text = 'SELECT * FROM jobs WHERE id = $1'
  return (await pool.query({ name: 'job', text, values: [params.id] })).rows[0]
})
app.get<{ Params: { id: string } }>('/jobs/:id', async ({ params }) => {
  const text = 'SELECT * FROM jobs WHERE project_id = $1 ORDER BY created_at DESC, id DESC LIMIT 20'
  return (await pool.query({ name: 'jobs', text, values: [params.id] })).rows
})
process.send?.(await app.listen({ host: '127.0.0.1', port: 0 }))
process.once('disconnect', () => process.exit(0))
