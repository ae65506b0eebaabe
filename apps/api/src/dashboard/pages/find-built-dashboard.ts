import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/**
 * Returns the folder of the built dashboard, or null if it is not built. The folder has the same
 * relative path in the source tree, in the build and in the image.
 */
export function findBuiltDashboard(): string | null {
  const index = new URL('../../../../dashboard/dist/index.html', import.meta.url)
  return existsSync(index) ? fileURLToPath(new URL('.', index)) : null
}
