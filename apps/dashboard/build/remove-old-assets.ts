import { readdir, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import type { Plugin } from 'vite'

/** Retention period in ms, during which pages opened before a build can still load their files. */
const KEPT_MS = 3_600_000

/**
 * Removes files from earlier builds after a delay, because a running service may still serve them.
 */
export function removeOldAssets(): Plugin {
  let outDir = ''
  const current = new Set<string>()
  return {
    name: 'corrigenda-remove-old-assets',
    apply: 'build',
    configResolved(config) {
      outDir = path.resolve(config.root, config.build.outDir)
    },
    writeBundle(_options, bundle) {
      for (const name of Object.keys(bundle)) current.add(name)
    },
    async closeBundle() {
      for (const name of await readdir(path.join(outDir, 'assets'))) {
        const file = path.join(outDir, 'assets', name)
        if (current.has(`assets/${name.replace(/\.(br|gz)$/, '')}`)) continue
        // A concurrent build may have removed the file.
        const found = await stat(file).catch(() => null)
        if (found && Date.now() - found.mtimeMs > KEPT_MS) await rm(file, { force: true })
      }
    },
  }
}
