import { mkdir, rm } from 'node:fs/promises'
import path from 'node:path'
import { findFreePort, type ModelScript, startGitHost, startMessagesApi } from '@corrigenda/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeFolder } from '../test-support/open-folder.ts'
import { runCli } from '../test-support/run-cli.ts'
import { runProcess } from '../test-support/start-process.ts'

const TOKEN = 'ghp_ownrepositoryownrepositoryownreposit'

const ask: ModelScript = () => {
  const input = { outcome: 'needs_input', reason: 'Which mistake?' }
  return { content: [{ type: 'tool_use', name: 'finish', input }] }
}

let dir: string
let host: Awaited<ReturnType<typeof startGitHost>>
let model: Awaited<ReturnType<typeof startMessagesApi>>
let env: Record<string, string>
beforeAll(async () => {
  dir = await makeFolder()
  model = await startMessagesApi({ modelScript: ask })
  await mkdir(path.join(dir, 'host'))
  host = await startGitHost({ root: path.join(dir, 'host'), token: TOKEN })
  const files = new Map([
    ['docs.json', { data: '{}' }],
    ['index.md', { data: '# Acme\n' }],
  ])
  for (const name of ['acme/docs', 'acme/product', 'beta/product']) {
    await host.createRepository(name, { commits: [{ message: 'start', files }] })
  }
  env = {
    GITHUB_TOKEN: TOKEN,
    ALLOWED_REPOSITORY_HOSTS: new URL(host.url).host,
    ANTHROPIC_BASE_URL: model.url,
    ANTHROPIC_API_KEY: model.key,
  }
})
afterAll(async () => {
  await host.close()
  await model.close()
  await rm(dir, { recursive: true, force: true })
})

/** Returns the names of the sources in the latest request to the model. */
const readSources = () => {
  const text = JSON.stringify(model.requests.at(-1)?.body)
  return [...text.matchAll(/\\n- ([\w-]+): (\w+\/\w+), main at/g)].map(([, name, full]) => `${name}: ${full}`).sort()
}

const url = (name: string) => `${host.url}/acme/${name}`

test('uses the given repository, sources and port, and prints the default prompt, the model and the cost', async () => {
  const port = await findFreePort()
  const args = ['quickstart', '--once', '--repository', url('docs'), '--source', url('product')]
  const first = await runProcess(dir, [...args, '--port', String(port)], { ...env, PORT: '0' })
  expect([first.code, first.err]).toEqual([0, ''])
  expect(first.out).toContain(`export CORRIGENDA_URL=http://127.0.0.1:${port}\n`)
  expect(first.out).toMatch(/Model +claude-sonnet-5-5 over the Messages API, at most 2 US dollars per prompt/)
  expect(first.out).toMatch(/^ {2}Prompt: Find one spelling or grammar mistake on the home page/m)
  expect(first.out).toMatch(/^Cost with claude-sonnet-5-5: 0\.\d{4} US dollars \(2 turns, /m)
  expect(first.out).toContain('The agent asks: Which mistake?')
  expect(readSources()).toEqual(['docs: acme/docs', 'product: acme/product'])

  // A second start adds the source that is missing and keeps the other.
  const more = ['--source', `${host.url}/beta/product`, '--prompt', 'Correct a mistake']
  const again = await runProcess(dir, [...args, ...more], { ...env, PORT: '0', MAX_COST_USD: '0.5' })
  expect([again.code, again.err]).toEqual([0, ''])
  expect(again.out).toContain('at most 0.5 US dollars per prompt')
  expect(again.out).toMatch(/^ {2}Prompt: Correct a mistake$/m)
  expect(readSources()).toEqual(['beta-product: beta/product', 'docs: acme/docs', 'product: acme/product'])
})

test('rejects options that cannot be used, before it starts services', async () => {
  const rejected = async (args: string[]) => {
    const { code, out, err } = await runCli(dir, ['quickstart', '--once', ...args], {})
    expect(code).not.toBe(0)
    return `${out}${err}`
  }
  expect(await rejected(['--source', url('product')])).toContain('Use --source together with --repository.')
  expect(await rejected(['--port', '65536'])).toContain('Use a number from 0 to 65535.')
  expect(await rejected(['--port', '80a'])).toContain('Use a number from 0 to 65535.')
  expect(await rejected(['--source', 'product'])).toContain('The repository must be a URL such as')
  const six = Array.from({ length: 6 }, (_, n) => ['--source', url(`p${n}`)]).flat()
  expect(await rejected(six)).toContain('A project has at most 5 sources.')
})
