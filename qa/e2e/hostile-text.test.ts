import { rm } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { runCli } from '@corrigenda/cli/internal/test-support/run-cli'
import { type RunningProcess, startProcess } from '@corrigenda/cli/internal/test-support/start-process'
import { AgentJob } from '@corrigenda/contracts'
import { type EmbeddedPostgres, startPostgres } from '@corrigenda/embedded-postgres'
import {
  findFreePort,
  type GitHost,
  type MessagesApi,
  type ModelScript,
  makeDatabaseDir,
  nextScriptTurn,
  type ScriptTurn,
  startGitHost,
  startMessagesApi,
} from '@corrigenda/testkit'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { toServiceEnv } from './test-support/to-service-env.ts'

/** Longest time that a job may take, in ms. */
const MAX_MS = 240_000
const FILLED = 'a'.repeat(19_999)

/** Pages that have stopped or could stop a reader whose time is not linear. */
const PAGES: readonly (readonly [name: string, file: string, text: string])[] = [
  ['attributes without an end', 'x.md', `\`\`\`\n{${'a=1&'.repeat(60)}\n\`\`\`\n`],
  ['an include after spaces', 'x.md', `<!-- @include:${' '.repeat(100_000)}x\n`],
  ['a tag start every 20,000 characters', 'x.md', `${`<${FILLED}`.repeat(40)}\n`],
  ['unclosed tags with quotes', 'x.md', `${'<img alt="a '.repeat(20_000)}\n`],
  ['open braces in MDX', 'x.mdx', `${'{['.repeat(20_000)}\n`],
  ['directives', 'x.md', `${':::note[a]{b=c '.repeat(10_000)}\n`],
  ['open brackets', 'x.md', `${'['.repeat(40_000)}a${']('.repeat(40_000)}\n`],
  ['emphasis', 'x.md', `${'*a_ **b__ '.repeat(20_000)}\n`],
  ['incomplete entities', 'x.md', `${'&#x&amp&#'.repeat(40_000)}\n`],
  ['aliases in the front matter', 'x.md', `---\n${listAliases(40)}---\n\n# A\n`],
  ['a table with open cells', 'x.md', `${'|a '.repeat(5_000)}\n${'|-'.repeat(5_000)}\n${'|`'.repeat(50_000)}\n`],
  ['letters and hosts without an end', 'x.md', `${'a'.repeat(400_000)}\n${'a-b.'.repeat(50_000)}\n`],
  ['interpolations', 'x.md', `${'{{ a | b '.repeat(10_000)}\n`],
  ['quotes in quotes', 'x.md', `${'> '.repeat(20_000)}a\n`],
  ['headings with attributes', 'x.md', `${`# ${'{#a '.repeat(2_000)}\n`.repeat(50)}\n`],
  ['reference definitions', 'x.md', `${'[a]: <b\n'.repeat(20_000)}\n`],
]

function listAliases(levels: number): string {
  let text = 'a0: &a0 [x, x]\n'
  for (let n = 1; n <= levels; n += 1) text += `a${n}: &a${n} [*a${n - 1}, *a${n - 1}]\n`
  return text
}

/** Configurations whose evaluation doubles with each line or is quadratic. */
const DOUBLING = Array.from(
  { length: 60 },
  (_, n) => `const a${n + 1} = Object.assign({}, { text: 'x', items: [a${n}, a${n}] })`,
)
const CONFIGURATIONS: readonly (readonly [name: string, file: string, text: string])[] = [
  [
    'a doubling configuration',
    '.vitepress/config.ts',
    `const a0 = { text: 'x', link: '/x' }\n${DOUBLING.join('\n')}\nexport default { themeConfig: { sidebar: [a60] } }\n`,
  ],
  [
    'a quadratic configuration',
    '.vitepress/config.ts',
    `const big = [${'1,'.repeat(8_000)}]\nexport default { themeConfig: { sidebar: big.map((x) => [${'x,'.repeat(8_000)}]) } }\n`,
  ],
]

/** The edits that the model makes, by the prompt that asks for them. */
const edits = new Map<string, ScriptTurn>()

/** Makes the edit that the prompt asks for, and finishes. */
const modelScript: ModelScript = (request) => {
  const name = /edit-\d+/.exec(JSON.stringify(request.messages[0]))?.[0] ?? ''
  const turn = edits.get(name)
  return nextScriptTurn(turn === undefined ? [] : [turn], request.messages, name)
}

let dir: string
let postgres: EmbeddedPostgres
let host: GitHost
let model: MessagesApi
let url: string
let env: Record<string, string>
const processes: RunningProcess[] = []

interface Project {
  readonly id: string
  readonly key: string
}

async function createProject(repository: string, files: Readonly<Record<string, string>>): Promise<Project> {
  const data = new Map(Object.entries(files).map(([file, text]) => [file, { data: text }]))
  await host.createRepository(repository, { commits: [{ message: 'docs: start', files: data }] })
  const address = host.repositoryUrl(repository)
  const made = await runCli(dir, ['project', 'create', '--name', repository, '--repository', address, '--json'], env)
  const { id } = JSON.parse(made.out)
  const key = await runCli(dir, ['key', 'create', '--project', id, '--name', 'k', '--json'], env)
  return { id, key: JSON.parse(key.out).key }
}

const send = ({ id, key }: Project, route: string, init: RequestInit = {}) =>
  fetch(`${url}/v2/agent/${id}${route}`, {
    ...init,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
  })

/** A model's reply cannot be longer. Longer texts are in the repository, and the job adds a line. */
const MAX_REPLY = 40_000
const isLong = (text: string) => text.length > MAX_REPLY

/** Creates a job whose model writes this file, or adds a line to it, and waits for its end. */
async function runJob(
  project: Project,
  name: string,
  file: string,
  text: string,
): Promise<[AgentJob, seconds: number]> {
  const prompt = `Make edit-${edits.size}. ${name}`
  const line = { path: file, insert_line: text.split('\n').length - 1, insert_text: 'One more line.' }
  const create = { path: file, file_text: text }
  edits.set(`edit-${edits.size}`, [isLong(text) ? { tool: 'insert', input: line } : { tool: 'create', input: create }])
  const started = performance.now()
  const response = await send(project, '/job', { method: 'POST', body: JSON.stringify({ prompt }) })
  const created = AgentJob.parse(await response.json())
  const read = async () => AgentJob.parse(await (await send(project, `/job/${created.id}`)).json())
  const isActive = async () => (await read()).status === 'active'
  while ((await isActive()) && performance.now() - started < MAX_MS) await sleep(200)
  return [await read(), (performance.now() - started) / 1000]
}

beforeAll(async () => {
  dir = await makeDatabaseDir('corrigenda-hostile-text-')
  postgres = await startPostgres({ stateDir: path.join(dir, 'postgres'), durable: false })
  host = await startGitHost({ root: path.join(dir, 'repositories') })
  model = await startMessagesApi({ modelScript })
  const port = await findFreePort()
  url = `http://127.0.0.1:${port}`
  env = {
    ...toServiceEnv({ dir, host, model }),
    DATABASE_URL: postgres.url,
    CORRIGENDA_SECRET: 'a-secret-for-the-tests-of-hostile-text-0123456789',
    PORT: String(port),
    MAX_OUTPUT_TOKENS: '10000000',
    MAX_INPUT_TOKENS: '100000000',
    MAX_COST_USD: '1000',
    SWEEP_SECONDS: '0.5',
  }
  expect((await runCli(dir, ['migrate'], env)).code).toBe(0)
  for (const args of [['api'], ['worker'], ['worker']]) processes.push(startProcess(dir, args, env))
  await vi.waitFor(async () => expect((await fetch(`${url}/readyz`)).status).toBe(200), { timeout: 90_000 })
})

afterAll(async () => {
  await Promise.all(processes.map((running) => running.stop('SIGKILL')))
  await model?.close()
  await host?.close()
  await postgres?.stop()
  await rm(dir, { recursive: true, force: true })
})

test('hostile text ends with a documented code or a pull request, and other projects go on', async () => {
  const control = await createProject('acme/control', { 'a.md': '# A\n' })
  const vitepress = "export default { title: 'Docs' }\n"
  const long = PAGES.flatMap(([, file, text], index) => (isLong(text) ? [[`${index}-${file}`, text]] : []))
  const files = { 'a.md': '# A\n', '.vitepress/config.ts': vitepress, ...Object.fromEntries(long) }
  const hostile = await createProject('acme/pages', files)
  const [, alone] = await runJob(control, 'Before', 'before.md', '# Before\n')
  const rows: [string, AgentJob, number][] = []
  const working = [
    ...PAGES.map(async ([name, file, text], index) =>
      rows.push([name, ...(await runJob(hostile, name, `${index}-${file}`, text))]),
    ),
    ...CONFIGURATIONS.map(async ([name, file, text], index) => {
      const project = await createProject(`acme/config-${index}`, { 'a.md': '# A\n', [file]: text })
      rows.push([name, ...(await runJob(project, name, 'x.md', '# X\n'))])
    }),
  ]
  const beside: number[] = []
  for (const name of ['first', 'second', 'third']) {
    const [job, seconds] = await runJob(control, name, `${name}.md`, `# ${name}\n`)
    expect(job).toMatchObject({ status: 'completed', outcome: 'changed' })
    beside.push(seconds)
  }
  await Promise.all(working)
  for (const [name, { status, failure }, seconds] of rows) {
    console.log(`${seconds.toFixed(1).padStart(6)} s  ${failure?.code ?? status}  ${name}`)
  }
  console.log(`another project: ${alone.toFixed(1)} s alone; ${beside.map((n) => n.toFixed(1)).join(', ')} s beside`)
  const codes = new Set(rows.map(([, { status, failure }]) => failure?.code ?? status))
  for (const code of codes)
    expect(['completed', 'unreadable_content', 'checks_failed', 'policy_violation']).toContain(code)
  // A process that stopped responding would have been ended by its watchdog.
  for (const running of processes) expect(running.output()).not.toContain('"name":"watchdog"')
}, 600_000)
