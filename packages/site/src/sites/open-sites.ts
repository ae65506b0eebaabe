import type { Site } from '../frameworks/framework.ts'
import type { Workspace, WorkspaceEntry } from '../workspace/workspace.ts'
import { readSites } from './read-sites.ts'
import { toSiteSource } from './to-site-source.ts'

/**
 * Sites keyed by the listing they were read from. A work tree creates a new listing with every
 * edit, so entries are never stale. An entry is freed with its listing.
 */
const BY_LISTING = new WeakMap<readonly WorkspaceEntry[], Promise<Site[]>>()

interface OpenSites {
  readonly sites: readonly Site[]
  /** Paths of regular files. */
  readonly paths: readonly string[]
}

/** Returns a workspace's current sites. Rereads them only after an edit. Throws read errors. */
export async function openSites(workspace: Workspace): Promise<OpenSites> {
  const entries = await workspace.list()
  const paths = entries.flatMap((entry) => (entry.kind === 'file' ? [entry.path] : []))
  let sites = BY_LISTING.get(entries)
  if (sites === undefined) {
    sites = readSites(toSiteSource(workspace, paths))
    BY_LISTING.set(entries, sites)
    sites.catch(() => BY_LISTING.delete(entries))
  }
  return { sites: await sites, paths }
}

/** Returns the base commit's sites. */
export async function openBaseSites(workspace: Workspace): Promise<Site[]> {
  const paths = (await workspace.listBase()).flatMap((entry) => (entry.kind === 'file' ? [entry.path] : []))
  return readSites(toSiteSource(workspace, paths, true))
}
