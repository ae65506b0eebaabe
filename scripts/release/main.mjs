import { execFileSync } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { buildArtifacts } from './build-artifacts.mjs'
import { readVersion } from './read-release.mjs'

// Usage: node scripts/release/main.mjs OUTPUT [--tag TAG] [--install]
// Builds the artifacts of a release and prints their sizes. Without --tag, it is a dry run.
// --install installs them into an empty folder and runs a first job.
const args = process.argv.slice(2)
const tag = args.includes('--tag') ? args[args.indexOf('--tag') + 1] : null
const given = args[0]?.startsWith('--') ? undefined : args[0]
const output = given ? path.resolve(given) : await mkdtemp(path.join(os.tmpdir(), 'corrigenda-dry-run-'))
const artifacts = await buildArtifacts({ output, tag })
for (const { name, bytes } of artifacts) console.log(`${(bytes / 1024).toFixed(1).padStart(10)} KiB  ${name}`)
console.log(`The artifacts are in ${output}.`)
if (args.includes('--install')) await install()
if (!given) await rm(output, { recursive: true, force: true })

/** Installs the packed files as a user does, and runs the first job with the packed command line. */
async function install() {
  const version = await readVersion(tag)
  const folder = await mkdtemp(path.join(os.tmpdir(), 'corrigenda-installed-'))
  const show = { cwd: folder, stdio: 'inherit' }
  const timed = (title, work) => {
    const started = Date.now()
    work()
    console.log(`${((Date.now() - started) / 1000).toFixed(1).padStart(8)} s  ${title}`)
  }
  try {
    await writeFile(path.join(folder, 'package.json'), '{"private":true,"type":"module"}\n')
    const files = artifacts.filter(({ name }) => name.endsWith('.tgz')).map(({ name }) => path.join(output, name))
    timed('npm install', () => execFileSync('npm', ['install', '--no-audit', '--no-fund', '--silent', ...files], show))
    const bin = path.join(folder, 'node_modules/.bin/corrigenda')
    timed('corrigenda init', () => execFileSync(bin, ['init'], { ...show, stdio: 'ignore' }))
    if (!/^CORRIGENDA_SECRET=\w{64}$/m.test(await readFile(path.join(folder, '.env'), 'utf8')))
      throw new Error('The packed command line wrote no secret.')
    const load = `import { buildCorrigenda } from '@corrigenda/client'; if (typeof buildCorrigenda !== 'function') process.exit(1)`
    timed('import the client', () => execFileSync(process.execPath, ['--input-type=module', '-e', load], show))
    timed(`first job with version ${version}`, () => execFileSync(bin, ['quickstart', '--no-open', '--once'], show))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
