// Compares the memory use of event streams with that of idle keep-alive connections in an API
// process.
import { fork } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import net from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { loadApiConfig, startApi } from '@corrigenda/api'
import { migrateDatabase, openDatabase } from '@corrigenda/core/db'
import { deriveSecrets } from '@corrigenda/core/instance'
import { createJob } from '@corrigenda/core/jobs'
import { createKey } from '@corrigenda/core/keys'
import { createProject } from '@corrigenda/core/projects'
import { openLog } from '@corrigenda/core/runtime'
import { startPostgres } from '@corrigenda/embedded-postgres'

const WANTED_KB = 50
const log = openLog({ level: 'silent', secrets: [] })

if (process.argv[2] === 'server') await serve()
else process.exitCode = await main(Number(process.argv[2] ?? 500))

/** Starts an API process that reports its memory use on request. */
async function serve() {
  const api = await startApi(loadApiConfig(process.env), log)
  process.on('message', () => {
    globalThis.gc()
    const { rss, heapUsed, external } = process.memoryUsage()
    process.send({ rss, held: heapUsed + external })
  })
  process.once('disconnect', () => void api.close())
  process.send({ url: api.url })
}

async function main(readers) {
  if (!(Number.isInteger(readers) && readers > 0)) {
    console.error('Usage: pnpm qa bench-sse [READERS] (default 500)')
    return 2
  }
  const dir = await mkdtemp(path.join(os.tmpdir(), 'corrigenda-bench-'))
  await chmod(dir, 0o755)
  const postgres = await startPostgres({ stateDir: path.join(dir, 'postgres'), durable: false })
  try {
    const secret = randomBytes(32).toString('hex')
    const { requests, jobs } = await prepare(postgres.url, secret)
    const env = { DATABASE_URL: postgres.url, CORRIGENDA_SECRET: secret, HOST: '127.0.0.1', PORT: '0' }
    const idle = await measure(env, readers, () => ({ request: requests.idle, until: '"status"' }))
    const streams = await measure(env, readers, (i) => ({
      request: requests.stream(jobs[i % jobs.length]),
      until: 'id: 1\n',
    }))
    const row = (name, { rss, held }) =>
      console.log(`${name.padEnd(24)} ${rss.toFixed(1).padStart(8)} KB resident ${held.toFixed(1).padStart(8)} KB heap`)
    console.log(`Per connection, with ${readers} connections to one API process (${jobs.length} jobs):`)
    row('idle keep-alive', idle)
    row('event stream', streams)
    const isFine = streams.rss <= WANTED_KB
    console.log(
      `An event stream uses ${(streams.rss / idle.rss).toFixed(1)} times as much memory as an idle connection. Limit: ${WANTED_KB} KB.`,
    )
    return isFine ? 0 : 1
  } finally {
    await postgres.stop()
    await rm(dir, { recursive: true, force: true })
  }
}

/** Creates a project with active jobs. Returns the jobs and one request per connection type. */
async function prepare(url, secret) {
  await migrateDatabase({ url })
  const database = openDatabase({ url, maxConnections: 2, onError: () => {} })
  try {
    const { keyPepper } = deriveSecrets(secret)
    const project = await createProject(
      { ...database, allowedRepositoryHosts: ['github.com'] },
      { name: 'bench', repository: 'https://github.com/acme/docs', baseBranch: null },
    )
    const { key } = await createKey(
      { ...database, keyPepper },
      { projectId: project.id, name: 'bench', scopes: ['jobs:read', 'jobs:write'], expiresInDays: null },
    )
    const deps = {
      ...database,
      log,
      queue: { enqueue: async () => {} },
      defaultModel: 'm-1',
      quota: { limit: 1000, windowSeconds: 3600 },
    }
    const jobs = []
    for (let i = 0; i < 10; i += 1) {
      const input = { projectId: project.id, request: { prompt: 'x' }, idempotencyKey: null }
      jobs.push(JSON.parse((await createJob(deps, input)).body).id)
    }
    const head = (target, more = '') => `GET ${target} HTTP/1.1\r\nHost: bench\r\n${more}\r\n`
    const stream = (id) =>
      head(`/v2/agent/${project.id}/job/${id}/events`, `Authorization: Bearer ${key}\r\nAccept: text/event-stream\r\n`)
    return { jobs, requests: { idle: head('/healthz', 'Connection: keep-alive\r\n'), stream } }
  } finally {
    await database.close()
  }
}

/** Returns the memory per connection in KB, measured on a fresh API process after a warm-up. */
async function measure(env, connections, plan) {
  const server = fork(fileURLToPath(import.meta.url), ['server'], {
    execArgv: ['--expose-gc'],
    env: { ...process.env, ...env },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  try {
    const [{ url }] = await once(server, 'message')
    const port = Number(new URL(url).port)
    const ask = async () => {
      server.send('measure')
      return (await once(server, 'message'))[0]
    }
    const open = (count) => Promise.all(Array.from({ length: count }, (_, i) => connect(port, plan(i))))
    const warm = await open(50)
    for (const socket of warm) socket.destroy()
    await ask()
    const before = await ask()
    const sockets = await open(connections)
    await ask()
    const after = await ask()
    for (const socket of sockets) socket.destroy()
    return {
      rss: (after.rss - before.rss) / connections / 1024,
      held: (after.held - before.held) / connections / 1024,
    }
  } finally {
    const gone = once(server, 'exit')
    server.disconnect()
    await gone
  }
}

/** Opens a connection and waits for the start of the response. */
function connect(port, { request, until }) {
  return new Promise((resolve, reject) => {
    const socket = net.connect(port, '127.0.0.1', () => socket.write(request))
    let text = ''
    socket.setEncoding('utf8')
    socket.on('error', reject)
    socket.on('data', (chunk) => {
      text += chunk
      if (text.includes(until)) resolve(socket)
    })
  })
}
