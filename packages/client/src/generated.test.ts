import { spawnSync } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'

const root = path.resolve(import.meta.dirname, '..')

async function readAll(folder: string): Promise<Record<string, string>> {
  const names = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.ts')).sort()
  return Object.fromEntries(
    await Promise.all(names.map(async (name) => [name, await readFile(path.join(folder, name), 'utf8')])),
  )
}

test('src/generated matches openapi.json (if not, run "node packages/client/scripts/generate.mjs")', async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'corrigenda-generated-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const made = spawnSync(process.execPath, ['scripts/generate.mjs', folder], { cwd: root, encoding: 'utf8' })
  expect([made.status, made.stderr]).toEqual([0, ''])
  expect(await readAll(folder)).toEqual(await readAll(path.join(root, 'src/generated')))
})

test('the client uses no Node APIs, and the example in its README compiles', async () => {
  const config = path.join(root, 'tsconfig.build.json')
  const compile = (...args: string[]) =>
    spawnSync(process.execPath, [path.join(root, '../../node_modules/typescript/bin/tsc'), ...args], {
      encoding: 'utf8',
    })
  const { compilerOptions } = JSON.parse(compile('-p', config, '--showConfig').stdout)
  expect(compilerOptions).toMatchObject({ types: [], lib: expect.arrayContaining(['dom']) })
  const readme = await readFile(path.join(root, 'README.md'), 'utf8')
  const examples = [...readme.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code]) => code as string)
  expect(examples.length).toBeGreaterThan(0)
  const folder = await mkdtemp(path.join(os.tmpdir(), 'corrigenda-client-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  await writeFile(path.join(folder, 'package.json'), '{"type":"module"}')
  for (const [n, code] of examples.entries()) await writeFile(path.join(folder, `example-${n}.ts`), code)
  const project = {
    extends: config,
    compilerOptions: { noEmit: true, rootDir: '/', paths: { '@corrigenda/client': [path.join(root, 'src/index.ts')] } },
    include: [path.join(root, 'src'), '.'],
    exclude: [path.join(root, 'src/**/*.test.ts'), path.join(root, 'src/**/test-support/**')],
  }
  await writeFile(path.join(folder, 'tsconfig.json'), JSON.stringify(project))
  const { status, stdout } = compile('-p', folder)
  expect([status, stdout]).toEqual([0, ''])
})
