import type { SiteRelease } from './site-record.ts'

/** Lists releases from their hashes by version, oldest first. */
export function listReleases(hashes: Readonly<Record<string, string>>): SiteRelease[] {
  return Object.entries(hashes).map(([version, hash]) => ({ version, hash }))
}
