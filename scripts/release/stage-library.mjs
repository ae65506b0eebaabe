import { cp, mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { ROOT } from './read-release.mjs'

/**
 * Creates the npm package of a library in a folder, without source conditions. A library has its
 * own version and changelog.
 */
export async function stageLibrary(folder, name) {
  const source = path.join(ROOT, 'packages', name)
  const { scripts, devDependencies, files, publishConfig, ...manifest } = JSON.parse(
    await readFile(path.join(source, 'package.json'), 'utf8'),
  )
  const changelog = await readFile(path.join(source, 'CHANGELOG.md'), 'utf8')
  if (!changelog.includes(`## ${manifest.version}\n`))
    throw new Error(`packages/${name}/CHANGELOG.md has no section for version ${manifest.version}.`)
  await mkdir(folder, { recursive: true })
  await cp(path.join(source, 'dist'), path.join(folder, 'dist'), {
    recursive: true,
    filter: (file) => !/\.(?:map|tsbuildinfo)$/.test(file),
  })
  for (const file of ['README.md', 'CHANGELOG.md']) await cp(path.join(source, file), path.join(folder, file))
  await cp(path.join(ROOT, 'LICENSE'), path.join(folder, 'LICENSE'))
  const { access, exports } = publishConfig
  const staged = { ...manifest, exports, publishConfig: { access } }
  await writeFile(path.join(folder, 'package.json'), `${JSON.stringify(staged, null, 2)}\n`)
}

/** Returns the packages that are published as libraries: those with their own changelog. */
export async function listLibraries() {
  const found = []
  for (const name of ['git', 'site']) {
    const changelog = path.join(ROOT, 'packages', name, 'CHANGELOG.md')
    if (await stat(changelog).catch(() => null)) found.push(name)
  }
  return found
}
