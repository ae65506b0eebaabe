import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { Settings as ApiSettings } from '../apps/api/src/http/settings.ts'
import { Settings as CommandSettings } from '../apps/cli/src/environment/with-database-access.ts'
import { Settings as WorkerSettings } from '../apps/worker/src/config/settings.ts'

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)))
const read = (file: string) => readFileSync(path.join(root, file), 'utf8')
// The workspace root has no YAML parser, so this test uses the worker's parser.
const { parse } = createRequire(path.join(root, 'apps/worker/package.json'))('yaml') as {
  parse(text: string, options: { merge: boolean }): unknown
}

interface Service {
  image: string
  build?: object
  command?: string[]
  environment?: Record<string, string>
  restart?: string
  ports?: string[]
  container_name?: string
  volumes?: string[]
  tmpfs?: string[]
  healthcheck?: { test: string[] }
  depends_on?: Record<string, { condition: string }>
  init?: boolean
  read_only?: boolean
  cap_drop?: string[]
  security_opt?: string[]
  stop_grace_period?: string
  mem_limit?: string
}

const text = read('docker-compose.yml')
const file = parse(text, { merge: true }) as { services: Record<string, Service>; volumes: Record<string, unknown> }
const service = (name: string): Service => {
  const found = file.services[name]
  if (!found) throw new Error(`docker-compose.yml has no service ${name}`)
  return found
}

const SERVICES = ['postgres', 'redis', 'migrate', 'api', 'worker']
const LONG_RUNNING = ['postgres', 'redis', 'api', 'worker']
const OURS = ['migrate', 'api', 'worker']
const REQUIRED = ['CORRIGENDA_SECRET', 'POSTGRES_PASSWORD']
const SECRETS = [...REQUIRED, 'ANTHROPIC_API_KEY', 'GITHUB_TOKEN', 'GITHUB_APP_PRIVATE_KEY']

const API = Object.keys(ApiSettings.shape)
const WORKER = Object.keys(WorkerSettings.shape)
// `corrigenda project`, `key` and `doctor` can run in either container.
const COMMANDS = [...Object.keys(CommandSettings.shape), 'MODEL']
const interpolated = [...new Set([...text.matchAll(/\$\{([A-Z][A-Z0-9_]*)/g)].map((match) => match[1]!))]
const example = [...read('.env.example').matchAll(/^#?([A-Z][A-Z0-9_]*)=(.*)$/gm)].map(([line, name, value]) => ({
  name: name!,
  value: value!,
  active: !line.startsWith('#'),
}))

it('defines exactly the expected services', () => {
  expect(Object.keys(file.services)).toEqual(SERVICES)
})

it.each(LONG_RUNNING)('restarts %s and checks its health', (name) => {
  expect(service(name).restart).toBe('unless-stopped')
  expect(service(name).healthcheck?.test.length).toBeGreaterThan(1)
})

it('allows any number of workers, without a fixed port or container name', () => {
  expect(service('worker').ports).toBeUndefined()
  expect(service('worker').container_name).toBeUndefined()
  expect(service('worker').environment?.HEALTH_PORT).toBeDefined()
  expect(service('worker').healthcheck?.test.join(' ')).toContain(`:${service('worker').environment?.HEALTH_PORT}/`)
})

it('keeps queue entries, because Redis writes to a volume and does not evict keys', () => {
  const command = service('redis').command?.join(' ')
  expect(command).toContain('--appendonly yes')
  expect(command).toContain('--appendfsync everysec')
  expect(command).toContain('--maxmemory-policy noeviction')
  expect(service('redis').volumes).toEqual(['redis:/data'])
})

it('keeps the database on a volume, in the folder that Postgres 18 images use', () => {
  expect(service('postgres').volumes).toEqual(['postgres:/var/lib/postgresql'])
  expect(Object.keys(file.volumes)).toEqual(expect.arrayContaining(['postgres', 'redis', 'cache']))
})

it.each(['api', 'worker'])('starts %s once the migration has completed and all dependencies are healthy', (name) => {
  expect(service(name).depends_on).toEqual({
    postgres: { condition: 'service_healthy' },
    redis: { condition: 'service_healthy' },
    migrate: { condition: 'service_completed_successfully' },
  })
})

it('migrates once, as soon as the database is healthy', () => {
  expect(service('migrate').command).toEqual(['migrate'])
  expect(service('migrate').restart).toBe('no')
  expect(service('migrate').depends_on).toEqual({ postgres: { condition: 'service_healthy' } })
})

it('publishes only the API port, on loopback by default', () => {
  expect(SERVICES.filter((name) => service(name).ports)).toEqual(['api'])
  expect(service('api').ports).toEqual([`\${BIND:-127.0.0.1}:\${PORT:-8080}:${service('api').environment?.PORT}`])
  expect(service('api').healthcheck?.test.join(' ')).toContain(`:${service('api').environment?.PORT}/readyz`)
})

it.each(OURS)('gives %s no privileges and a read-only file system', (name) => {
  expect(service(name).cap_drop).toEqual(['ALL'])
  expect(service(name).security_opt).toContain('no-new-privileges:true')
  expect(service(name).read_only).toBe(true)
  expect(service(name).tmpfs?.some((mount) => mount.startsWith('/tmp'))).toBe(true)
  expect(service(name).init).toBe(name !== 'worker')
})

it.each(['api', 'worker'])('gives %s time to shut down, and limits its memory', (name) => {
  const limit = /limitMs = ([\d_]+)/.exec(read('apps/cli/src/services/close-on-signal.ts'))?.[1]
  const graceSeconds = Number.parseInt(service(name).stop_grace_period ?? '', 10)
  expect(graceSeconds * 1000).toBeGreaterThan(Number(limit?.replaceAll('_', '')))
  expect(service(name).mem_limit).toMatch(/^\$\{[A-Z]+_MEMORY:-\d+[mg]\}$/)
})

it('builds one image for the migration, the API and the workers', () => {
  expect(OURS.filter((name) => service(name).build)).toEqual(['migrate'])
  expect(new Set(OURS.map((name) => service(name).image)).size).toBe(1)
})

it.each(REQUIRED)('refuses to start without %s', (name) => {
  expect(text).toMatch(new RegExp(`^ +${name}: \\$\\{${name}:\\?set ${name} in \\.env \\(.+\\)\\}$`, 'm'))
})

it('contains no secrets, but reads them from the environment', () => {
  for (const name of SERVICES) {
    for (const [key, value] of Object.entries(service(name).environment ?? {})) {
      if (SECRETS.includes(key)) expect(value).toMatch(/^\$\{[A-Z_]+(:\?[^}]+|:-)\}$/)
      if (key.endsWith('_URL') && value.includes('@')) expect(value).toMatch(/:\$\{POSTGRES_PASSWORD\}@/)
    }
  }
  expect(example.filter(({ name, value }) => SECRETS.includes(name) && value !== '')).toEqual([])
})

it('requires only the secrets that every installation needs, not the key of one model provider', () => {
  const required = [...text.matchAll(/\$\{([A-Z][A-Z0-9_]*):?\?/g)].map(([, name]) => name)
  expect([...new Set(required)].sort()).toEqual([...REQUIRED].sort())
})

it('gives each container only the credentials that it needs', () => {
  const secretsOf = (name: string) =>
    Object.keys(service(name).environment ?? {}).filter((key) => SECRETS.includes(key))
  expect(secretsOf('migrate')).toEqual([])
  expect(secretsOf('api')).toEqual(['CORRIGENDA_SECRET'])
  expect(secretsOf('worker')).toEqual([
    'CORRIGENDA_SECRET',
    'ANTHROPIC_API_KEY',
    'GITHUB_TOKEN',
    'GITHUB_APP_PRIVATE_KEY',
  ])
})

it.each([
  ['api', [...API, ...COMMANDS]],
  ['worker', [...WORKER, ...COMMANDS]],
])('sets exactly the environment variables that %s reads', (name, settings) => {
  expect(Object.keys(service(name).environment ?? {}).sort()).toEqual([...new Set(settings)].sort())
})

it('.env.example lists exactly the settings and the Compose variables, each once', () => {
  const names = example.map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
  expect([...names].sort()).toEqual([...new Set([...API, ...WORKER, ...COMMANDS, ...interpolated])].sort())
})

it('.env.example comments out optional settings', () => {
  const active = example.filter((setting) => setting.active).map(({ name }) => name)
  expect(active.sort()).toEqual([...REQUIRED, 'ANTHROPIC_API_KEY', 'GITHUB_TOKEN'].sort())
})

it("builds the image with the repository's pnpm and Node.js versions", () => {
  const dockerfile = read('Dockerfile')
  const pnpm = (JSON.parse(read('package.json')) as { packageManager: string }).packageManager
  expect(`pnpm@${/^ARG PNPM_VERSION=(.+)$/m.exec(dockerfile)?.[1]}`).toBe(pnpm)
  expect(/^ARG NODE_IMAGE=node:(\d+)\.\d+\.\d+-slim$/m.exec(dockerfile)?.[1]).toBe(read('.nvmrc').trim())
  const workflow = read('.github/workflows/ci.yml')
  expect(new Set(workflow.match(/pnpm@[\d.]+/g))).toEqual(new Set([pnpm]))
  expect(dockerfile).toMatch(/^USER 1000:1000$/m)
})

it('names exact versions of images', () => {
  const images = [...text.matchAll(/_IMAGE:-((?:node|postgres|redis):[^}]+)\}/g)].map(([, image]) => image)
  expect(images).toHaveLength(3)
  for (const image of images) expect(image).toMatch(/^\w+:\d+\.\d+(?:\.\d+)?-\w+$/)
})

it('starts WORKERS workers, and shows the same commands as the README', () => {
  expect((service('worker') as { scale?: string }).scale).toBe(`\${WORKERS:-2}`)
  const commands = [...text.matchAll(/^# {3}(docker .*)$/gm)].map(([, command]) => command!.trim())
  expect(commands.length).toBeGreaterThanOrEqual(4)
  for (const file of ['README.md', 'docs/running.md']) {
    const document = read(file)
    for (const command of commands) expect(document, file).toContain(command)
  }
})

it("hides the worker's environment from linters, which run as the same user", () => {
  expect(read('Dockerfile')).toContain('chmod 711 "$(readlink -f "$(command -v node)")"')
  expect(service('worker')).toMatchObject({ init: false })
})

/** Compose programs that are installed on this machine. */
const programs = ['docker-compose', 'docker compose'].filter(
  (program) => compose(program, ['version'], {}).status === 0,
)

function compose(program: string, args: string[], env: Record<string, string>) {
  const [file = '', ...subcommand] = program.split(' ')
  // Runs in a different folder, so that no .env file is read.
  return spawnSync(file, [...subcommand, ...args], {
    cwd: os.tmpdir(),
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env },
    encoding: 'utf8',
  })
}

it.each(programs)('%s accepts the file, and reports a missing secret', (program) => {
  const args = ['-f', path.join(root, 'docker-compose.yml'), '--project-directory', os.tmpdir(), 'config', '-q']
  const complete = Object.fromEntries(REQUIRED.map((name) => [name, 'x'.repeat(32)]))
  expect(compose(program, args, complete)).toMatchObject({ status: 0 })
  for (const name of REQUIRED) {
    const { status, stderr } = compose(program, args, { ...complete, [name]: '' })
    expect(status).not.toBe(0)
    expect(stderr).toContain(`set ${name} in .env`)
  }
})

it('the image starts in any working folder, as `docker run -w` in the README requires', () => {
  expect(read('README.md')).toContain('-w /setup corrigenda:local init')
  const entrypoint = /^ENTRYPOINT (.*)$/m.exec(read('Dockerfile'))?.[1] ?? '[]'
  expect(JSON.parse(entrypoint).at(-1)).toBe('/app/apps/cli/dist/main.js')
})
