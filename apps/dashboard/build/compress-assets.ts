import { existsSync } from 'node:fs'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Plugin } from 'vite'

const COMPRESSED = /\.(js|css|svg)$/
/** Files below this size do not benefit from compression. */
const MIN_BYTES = 512

/**
 * Writes `<file>.br` and `<file>.gz` next to each built text file, so that the service does not
 * have to compress responses.
 */
export function compressAssets(): Plugin {
  let outDir = ''
  return {
    name: 'corrigenda-compress-assets',
    apply: 'build',
    configResolved(config) {
      outDir = path.resolve(config.root, config.build.outDir)
    },
    async closeBundle() {
      const names = await readdir(outDir, { recursive: true })
      for (const name of names.filter((name) => COMPRESSED.test(name))) await compress(path.join(outDir, name))
    },
  }
}

async function compress(file: string): Promise<void> {
  // A file from an earlier build may have been removed or may already be compressed.
  const content = await readFile(file).catch(() => null)
  if (content === null || content.length < MIN_BYTES || existsSync(`${file}.br`)) return
  const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: content.length }
  await writeFile(`${file}.br`, await promisify(brotliCompress)(content, { params }))
  await writeFile(`${file}.gz`, await promisify(gzip)(content, { level: 9 }))
}
