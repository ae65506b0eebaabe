import { cp, mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { ROOT } from './read-release.mjs'

/** Creates the npm package of the TypeScript client in a folder, without source conditions. */
export async function stageClient(folder, version) {
  const source = path.join(ROOT, 'packages/client')
  const { name, type, dependencies } = JSON.parse(await readFile(path.join(source, 'package.json'), 'utf8'))
  await mkdir(folder, { recursive: true })
  await cp(path.join(source, 'dist'), path.join(folder, 'dist'), {
    recursive: true,
    filter: (file) => !/\.(?:map|tsbuildinfo)$/.test(file),
  })
  await cp(path.join(source, 'README.md'), path.join(folder, 'README.md'))
  await cp(path.join(ROOT, 'LICENSE'), path.join(folder, 'LICENSE'))
  const manifest = {
    name,
    version,
    description: 'Client of the Corrigenda API',
    license: 'Apache-2.0',
    type,
    repository: { type: 'git', url: 'git+https://github.com/corrigenda/corrigenda.git', directory: 'packages/client' },
    engines: { node: '>=20.19' },
    exports: { '.': { types: './dist/index.d.ts', default: './dist/index.js' } },
    publishConfig: { access: 'public' },
    dependencies,
  }
  await writeFile(path.join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
}
