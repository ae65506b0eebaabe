import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { stageCli } from './pack-cli.mjs'
import { buildComposeFile, ROOT, readNotes, readVersion } from './read-release.mjs'
import { stageClient } from './stage-client.mjs'
import { listLibraries, stageLibrary } from './stage-library.mjs'

const run = promisify(execFile)

/**
 * Builds everything that a release publishes except the image, from built packages.
 * @param {{ output: string, tag: string | null, python?: boolean }} input without a tag, it is a dry run
 * @returns the artifacts with their sizes in bytes
 */
export async function buildArtifacts({ output, tag, python = true }) {
  const version = await readVersion(tag)
  await mkdir(output, { recursive: true })
  const staging = await mkdtemp(path.join(os.tmpdir(), 'corrigenda-release-'))
  try {
    const stages = { cli: stageCli, client: stageClient }
    for (const name of await listLibraries()) stages[name] = (folder) => stageLibrary(folder, name)
    for (const [name, stage] of Object.entries(stages)) {
      const folder = path.join(staging, name)
      await mkdir(folder)
      await stage(folder, version)
      // Scripts do not run, because the packages are built.
      await run('npm', ['pack', '--ignore-scripts', '--silent', '--pack-destination', output], { cwd: folder })
    }
  } finally {
    await rm(staging, { recursive: true, force: true })
  }
  if (python) await buildPython(output)
  await writeFile(path.join(output, 'docker-compose.yml'), await buildComposeFile(version))
  await writeFile(path.join(output, 'NOTES.md'), await readNotes({ version, isDryRun: tag === null }))
  const names = (await readdir(output)).sort()
  return Promise.all(names.map(async (name) => ({ name, bytes: (await stat(path.join(output, name))).size })))
}

/** Builds the wheel and the source distribution of the Python client, without downloads. */
async function buildPython(output) {
  const code = 'import build_backend as b, sys; b.build_wheel(sys.argv[1]); b.build_sdist(sys.argv[1])'
  await run('python3', ['-B', '-c', code, output], { cwd: path.join(ROOT, 'packages/client/python') })
}
