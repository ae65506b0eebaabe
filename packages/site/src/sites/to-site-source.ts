import type { SiteSource } from '../config/config-files.ts'
import { isRefused, type Workspace } from '../workspace/workspace.ts'

/** Wraps a workspace's current state, or its base commit if `base` is true, for `readSites`. */
export function toSiteSource(workspace: Workspace, paths: readonly string[], base = false): SiteSource {
  return {
    paths,
    async read(path) {
      try {
        return base ? await workspace.readBase(path) : await workspace.read(path)
      } catch (error) {
        if (isRefused(error)) return null
        throw error
      }
    },
  }
}
