import { type Workspace, WorkspaceError } from '@corrigenda/git/workspace'
import type { SiteSource } from '../config/config-files.ts'

/**
 * Wraps the current state of a workspace, or with `base` its base commit, as input for `readSites`.
 */
export function toSiteSource(workspace: Workspace, paths: readonly string[], base = false): SiteSource {
  return {
    paths,
    async read(path) {
      try {
        return base ? await workspace.readBase(path) : await workspace.read(path)
      } catch (error) {
        if (error instanceof WorkspaceError) return null
        throw error
      }
    },
  }
}
