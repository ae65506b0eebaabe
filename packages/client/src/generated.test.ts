import { spawnSync } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
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

// Runs the compiler, which takes several seconds, and much longer on a busy machine.
test('the client uses no Node APIs, and the example in its README compiles', async () => {
  const readme = await readFile(path.join(root, 'README.md'), 'utf8')
  const examples = [...readme.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code]) => code as string)
  expect(examples.length).toBeGreaterThan(0)
  const ts = await import('typescript')
  const config = ts.getParsedCommandLineOfConfigFile(
    path.join(root, 'tsconfig.build.json'),
    {},
    {
      ...ts.sys,
      onUnRecoverableConfigFileDiagnostic: (diagnostic: { messageText: unknown }) => {
        throw new Error(String(diagnostic.messageText))
      },
    },
  )
  if (!config) throw new Error('no tsconfig.build.json')
  expect([config.options.types, config.options.lib]).toEqual([[], expect.arrayContaining(['lib.dom.d.ts'])])
  const files = Object.fromEntries(examples.map((code, n) => [path.join(root, `src/example-${n}.ts`), code]))
  const host = ts.createCompilerHost(config.options)
  const { readFile: read, fileExists: exists } = host
  host.readFile = (name) => files[path.resolve(name)]?.replace("'@corrigenda/client'", "'./index.ts'") ?? read(name)
  host.fileExists = (name) => path.resolve(name) in files || exists(name)
  const options = { ...config.options, noEmit: true }
  const program = ts.createProgram([...config.fileNames, ...Object.keys(files)], options, host)
  const problems = ts.getPreEmitDiagnostics(program).map(({ messageText, file }) => [file?.fileName, messageText])
  expect(problems).toEqual([])
})
