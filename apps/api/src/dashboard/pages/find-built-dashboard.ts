import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** Folder of the built dashboard, which lies beside this package as source, built and in the image; null: it has not been built. */
export function findBuiltDashboard(): string | null {
  const index = new URL('../../../../dashboard/dist/index.html', import.meta.url)
  return existsSync(index) ? fileURLToPath(new URL('.', index)) : null
}
