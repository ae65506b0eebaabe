import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import path from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { makeFolder } from '../test-support/open-folder.ts'
import { type RunningProcess, startProcess } from '../test-support/start-process.ts'

const PACKAGES = path.resolve(import.meta.dirname, '../../../..')

/** Packages that a service must not load before it needs them, by the package that depends on them. */
const TRACES = [
  '@opentelemetry/api',
  '@opentelemetry/exporter-trace-otlp-http',
  '@opentelemetry/resources',
  '@opentelemetry/sdk-trace-base',
]
const EVERYWHERE = {
  'packages/core': ['pg-copy-streams', 'prom-client', ...TRACES],
  'packages/egress': ['undici'],
}
const LAZY = {
  api: {
    'apps/cli': ['yaml'],
    'apps/api': ['@bull-board/api', '@fastify/swagger', '@modelcontextprotocol/sdk', 'better-auth'],
    ...EVERYWHERE,
  },
  worker: {
    ...EVERYWHERE,
    'packages/agent': ['@anthropic-ai/bedrock-sdk', '@anthropic-ai/sdk', '@anthropic-ai/vertex-sdk'],
    'packages/site': [
      '@mdit/plugin-tex',
      '@sveltejs/acorn-typescript',
      '@vue/compiler-dom',
      'acorn',
      'acorn-jsx',
      'github-slugger',
      'markdown-it',
      'markdownlint',
      'micromark',
      'toml-eslint-parser',
    ],
  },
} as const

const name = `modules_${process.pid}`
const databaseUrl = inject('postgresUrl').replace(/\/corrigenda$/, `/${name}`)
const admin = new pg.Client({ connectionString: inject('postgresUrl') })
let dir: string

beforeAll(async () => {
  dir = await makeFolder()
  await admin.connect()
  await admin.query(`CREATE DATABASE ${name} TEMPLATE corrigenda_template STRATEGY file_copy`)
})

afterAll(async () => {
  await admin.query(`DROP DATABASE ${name} WITH (FORCE)`)
  await admin.end()
  await rm(dir, { recursive: true, force: true })
})

/**
 * Runs a service until it has started. Repeats this if SIGTERM ended the process by default,
 * before the service handled it, because Node then writes no files.
 * @returns the packages that it loaded, including those of the workspace
 */
async function listLoaded(service: keyof typeof LAZY, started: string): Promise<ReadonlySet<string>> {
  const coverage = await mkdtemp(path.join(dir, 'coverage-'))
  let code: number | null = null
  const running: RunningProcess = startProcess(dir, [service], {
    DATABASE_URL: databaseUrl,
    CORRIGENDA_SECRET: 'a-secret-for-the-modules-test-0123456789abcdef',
    ANTHROPIC_API_KEY: 'key',
    GITHUB_TOKEN: 'token',
    CACHE_DIR: path.join(dir, 'cache'),
    PORT: '0',
    // Node writes the URLs of all modules that it has loaded to this folder when it exits.
    NODE_V8_COVERAGE: coverage,
  })
  try {
    await expect.poll(() => running.output(), { interval: 50 }).toContain(started)
  } finally {
    code = await running.stop()
  }
  if (code === null) return listLoaded(service, started)
  const loaded = new Set<string>()
  for (const file of await readdir(coverage)) {
    const { result } = JSON.parse(await readFile(path.join(coverage, file), 'utf8')) as { result: { url: string }[] }
    for (const { url } of result) {
      const found = [...url.matchAll(/\/node_modules\/((?:@[^/]+\/)?[^/]+)/g)].at(-1)?.[1]
      loaded.add(found ?? /\/((?:apps|packages)\/[^/]+)\/dist\//.exec(url)?.[1] ?? '')
    }
  }
  return loaded
}

const toNames = (service: keyof typeof LAZY): string[] => Object.values(LAZY[service]).flat()

test.each(Object.values(LAZY).flatMap((lazy) => Object.entries(lazy)))(
  '%s depends on the packages that are listed for it',
  async (folder, names) => {
    const manifest = JSON.parse(await readFile(path.join(PACKAGES, folder, 'package.json'), 'utf8'))
    expect({ ...manifest.dependencies, ...manifest.devDependencies }).toMatchObject(
      Object.fromEntries(names.map((one: string) => [one, expect.any(String)])),
    )
  },
)

test('an API that has served no request has not loaded the packages of single endpoints', async () => {
  const loaded = await listLoaded('api', 'api listening')
  expect(loaded).toContain('fastify')
  expect([...toNames('api'), 'bullmq'].filter((one) => loaded.has(one))).toEqual([])
})

test('a worker that has received no wake-up has loaded neither the agent nor the parsers of pages', async () => {
  const loaded = await listLoaded('worker', 'worker started')
  expect(loaded).toContain('bullmq')
  expect([...toNames('worker'), 'packages/site'].filter((one) => loaded.has(one))).toEqual([])
})
