import { toName } from '../pages/paths.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { openBaseSites } from './open-sites.ts'

const SCRIPT = /\.[cm]?[jt]sx?$/i
const HOST_FILE = /^(?:vercel\.json|netlify\.toml|book\.toml|_redirects|(?:hugo|config)\.(?:toml|ya?ml))$/

/**
 * Returns the files of the base commit that contain the navigation or the redirects of a site
 * besides other settings or code: scripts, configuration of hosts, YAML and TOML configuration, and
 * JSON and YAML files that the main configuration includes.
 */
export async function readNavigationFiles(workspace: Workspace): Promise<ReadonlySet<string>> {
  const sites = await openBaseSites(workspace)
  const paths = sites.flatMap(({ config, navigation, redirects }) => {
    const included = [...navigation.files, ...redirects.files]
    const isPart = (path: string) => /\.ya?ml$/i.test(path) && path !== config
    const main = config === null ? [] : [config]
    return [...main, ...included].filter(
      (path) =>
        SCRIPT.test(path) ||
        HOST_FILE.test(toName(path)) ||
        isPart(path) ||
        (/\.json$/i.test(path) && included.includes(path)),
    )
  })
  return new Set(paths)
}
