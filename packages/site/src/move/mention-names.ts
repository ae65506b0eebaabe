import { findSite } from '../frameworks/find-site.ts'
import { toUrls } from '../links/to-urls.ts'
import { dropExtension, PAGE, toAddress, toName } from '../pages/paths.ts'
import { listConfigFiles } from '../references/list-config-files.ts'
import { decodeText } from '../workspace/text-file.ts'
import type { Workspace } from '../workspace/workspace.ts'
import type { Repository } from './read-repository.ts'

/** The names by which a repository's files may refer to changed files. */
export interface MentionNames {
  /** Paths in the repository. */
  readonly paths: ReadonlySet<string>
  /** Paths of pages without their extension, which configuration files may contain. */
  readonly ids: ReadonlySet<string>
  /** Names of files that no other file has, which configuration files may contain. */
  readonly uniqueNames: ReadonlySet<string>
  /** As returned by `toAddress`, without and with the site's base. */
  readonly addresses: ReadonlySet<string>
  /** Folders that a path may start at. */
  readonly folders: readonly string[]
  /** The sites' configuration files, in which a file name without a folder is a path. */
  readonly files: ReadonlySet<string>
  /** Files with redirects. */
  readonly redirects: ReadonlySet<string>
  /** Hosts that the sites' configuration names. */
  readonly hosts: ReadonlySet<string>
  /** Anchors, without `#`; null if a name counts without an anchor. */
  readonly anchors: ReadonlySet<string> | null
  /** Texts, one of which every text with a name contains. */
  readonly stems: readonly string[]
}

/** Maximum number of addresses. More would make the search slow. */
const MAX_STEMS = 50

/** Collects the names of files that move, are deleted, or contain a renamed heading. */
export async function readMentionNames(
  workspace: Workspace,
  { sites, index }: Repository,
  paths: Iterable<string>,
  anchors: ReadonlySet<string> | null = null,
): Promise<MentionNames> {
  const own = new Set(paths)
  const addresses = new Set<string>()
  const stems = new Set<string>()
  for (const path of own) {
    const site = findSite(sites, path)
    stems.add(toName(path))
    const known = toUrls(site, path, index.facts.get(path) ?? null)
    const urls = site.addresses === 'unknown' ? [...known, ...toPossibleUrls(path)] : known
    for (const url of PAGE.test(path) ? urls : []) {
      if (url !== '/') stems.add(toName(url))
      for (const address of [url, toAddress(`${site.base}${url}`)])
        if (address !== '/' && address !== toAddress(site.base)) addresses.add(address)
    }
    stems.add(toName(dropExtension(path)))
  }
  const homes = [...new Set(Array.from(own, (path) => findSite(sites, path)))]
  const files = homes.flatMap(listConfigFiles)
  const folders = homes.flatMap(({ root, content, publicFolders }) => [
    root,
    ...publicFolders,
    ...content.map(({ folder }) => folder),
  ])
  return {
    uniqueNames: findUniqueNames(index.files, own),
    ids: new Set([...own].filter((path) => PAGE.test(path)).map(dropExtension)),
    paths: own,
    addresses,
    folders: [...new Set(folders)],
    files: new Set(files),
    anchors,
    redirects: new Set(sites.flatMap((site) => site.redirects.files)),
    hosts: await readHosts(workspace, files),
    stems: stems.size > MAX_STEMS ? [''] : [...new Set([...stems, ...Array.from(stems, encodeURI)])],
  }
}

function findUniqueNames(files: Iterable<string>, paths: ReadonlySet<string>): ReadonlySet<string> {
  const names = new Set(Array.from(paths, toName))
  for (const file of files) if (!paths.has(file)) names.delete(toName(file))
  return names
}

/** Maximum depth of the folder that an unknown site publishes. */
const MAX_ROOT_DEPTH = 3

/** Returns the addresses that a page may have, whichever folder contains the pages of its site. */
function toPossibleUrls(path: string): string[] {
  const parts = dropExtension(path).split('/')
  if (/^(?:index|readme|_index|page)$/i.test(parts.at(-1) ?? '')) parts.pop()
  const depths = Array.from({ length: MAX_ROOT_DEPTH + 1 }, (_, depth) => parts.slice(depth))
  return depths.flatMap((rest) => (rest.length === 0 ? [] : [toAddress(`/${rest.join('/')}`)]))
}

/** Returns the hosts in the sites' configuration, one of which is the site's own. */
async function readHosts(workspace: Workspace, files: readonly string[]): Promise<ReadonlySet<string>> {
  const hosts = new Set<string>()
  for (const path of new Set(files)) {
    const entry = await workspace.find(path)
    const decoded = entry?.kind === 'file' ? decodeText(await workspace.read(path)) : 'binary'
    if (typeof decoded === 'string') continue
    const OWN = /(?:hostname|url|site|site_url|baseURL|canonical|domain)["']?\s*[:=]\s*["']?https?:\/\/([\w.-]+)/gi
    for (const [, host = ''] of decoded.text.slice(0, 500_000).matchAll(OWN)) hosts.add(host)
  }
  return hosts
}
