import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { ROOT } from './read-release.mjs'

/** Packages that the command line does not need: tests, and the client that is published separately. */
const LEFT_OUT = ['@corrigenda/testkit']
const SKIPPED = /(?:\.map|\.d\.[cm]?ts|\.tsbuildinfo)$/

/**
 * Creates the npm package `corrigenda` in a folder. It contains the built packages of the workspace
 * in `node_modules`, and depends on their other dependencies.
 */
export async function stageCli(folder, version) {
  const dependencies = {}
  const bundled = {}
  for (const group of ['packages', 'apps']) {
    for (const name of await readdir(path.join(ROOT, group))) {
      const source = path.join(ROOT, group, name)
      const manifest = JSON.parse(await readFile(path.join(source, 'package.json'), 'utf8'))
      if (LEFT_OUT.includes(manifest.name)) continue
      for (const [dependency, range] of Object.entries(manifest.dependencies ?? {})) {
        if (manifest.name === '@corrigenda/dashboard' || dependency.startsWith('@corrigenda/')) continue
        dependencies[dependency] = toOneVersion(dependency, dependencies[dependency] ?? range, range)
      }
      bundled[manifest.name] = manifest.version
      await stagePackage(source, path.join(folder, 'node_modules', manifest.name), manifest)
    }
  }
  await cp(path.join(ROOT, 'prisma'), path.join(folder, 'node_modules/@corrigenda/core/prisma'), {
    recursive: true,
  })
  for (const file of ['LICENSE', 'NOTICE', 'README.md']) await cp(path.join(ROOT, file), path.join(folder, file))
  await writeFile(
    path.join(folder, 'package.json'),
    `${JSON.stringify(
      {
        name: 'corrigenda',
        version,
        description: 'Self-hosted service that turns a prompt into a pull request on a documentation repository',
        license: 'Apache-2.0',
        repository: { type: 'git', url: 'git+https://github.com/corrigenda/corrigenda.git' },
        type: 'module',
        engines: { node: '>=20.19' },
        bin: { corrigenda: './node_modules/@corrigenda/cli/dist/main.js' },
        dependencies: { ...sortKeys(dependencies), ...bundled },
        bundleDependencies: Object.keys(bundled),
      },
      null,
      2,
    )}\n`,
  )
}

/** Prefers an exact version to a range. */
function toOneVersion(name, known, range) {
  const exact = [...new Set([known, range])].filter((one) => /^\d/.test(one))
  if (exact.length > 1) throw new Error(`${name} has the versions ${exact.join(' and ')}. Use the same one everywhere.`)
  return exact[0] ?? range
}

/** Copies the built files of a package. Its own dependencies are those of the package `corrigenda`. */
async function stagePackage(source, target, { name, version, type, exports }) {
  await mkdir(target, { recursive: true })
  const entries = (await readdir(source)).filter((entry) => entry === 'dist' || entry.startsWith('sample-'))
  if (!entries.includes('dist')) throw new Error(`${name} is not built. Run "pnpm build".`)
  for (const entry of entries) {
    await cp(path.join(source, entry), path.join(target, entry), {
      recursive: true,
      filter: (file) => !SKIPPED.test(file),
    })
  }
  const built = JSON.parse(JSON.stringify(exports ?? {}, (key, value) => (isOfSource(key) ? undefined : value)))
  await writeFile(
    path.join(target, 'package.json'),
    `${JSON.stringify({ name, version, type, license: 'Apache-2.0', exports: built }, null, 2)}\n`,
  )
}

const isOfSource = (key) => key === 'corrigenda-source' || key === 'types' || key === './internal/*'
const sortKeys = (object) => Object.fromEntries(Object.entries(object).sort(([a], [b]) => a.localeCompare(b)))
