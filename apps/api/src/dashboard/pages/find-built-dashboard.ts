import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/**
 * Returns the folder of the dashboard build, or null if the dashboard has not been built. The
 * folder has the same relative path in the source tree, the build output and the image.
 */
export function findBuiltDashboard(): string | null {
  const index = new URL('../../../../dashboard/dist/index.html', import.meta.url)
  return existsSync(index) ? fileURLToPath(new URL('.', index)) : null
}
