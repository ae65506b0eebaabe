import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { parse } from 'yaml'
import type { SiteLayout } from '../model/doc-site.ts'

/** A version of the documentation, pinned by the hash of its archive. */
export interface SiteRelease {
  /** Version of the npm package, or upstream version of the Debian package. */
  readonly version: string
  /** `sha512-` with base64 for npm tarballs, `sha256-` with hex for Debian source archives. */
  readonly hash: string
}

/** A real documentation site that is published as a package and never committed. */
export interface SiteRecord {
  readonly id: string
  readonly source: 'npm' | 'debian'
  readonly package: string
  /** Oldest first. The last one is measured; each pair of neighbours is compared as a change. */
  readonly releases: readonly SiteRelease[]
  /** Folder in the archive that becomes the root of the repository. */
  readonly folder?: string
  readonly layout: SiteLayout
  readonly license: string
  /** True if the short form of the campaign measures the site. */
  readonly isSmall?: boolean
  /** Minimum recall in percent. */
  readonly floors: { readonly core: number; readonly more: number }
}

const { resolve } = createRequire(import.meta.url)
const QA = dirname(resolve('@corrigenda/qa/package.json'))

/** Folder for downloads, which is kept. */
export const SITES_CACHE = join(QA, '../.cache/sites')

/** Reads the records of `qa/sites/sites.yaml`. */
export function readSites(): SiteRecord[] {
  type Row = Omit<SiteRecord, 'releases'> & { readonly releases: Readonly<Record<string, string>> }
  const rows: Row[] = parse(readFileSync(join(QA, 'sites/sites.yaml'), 'utf8'))
  return rows.map((row) => ({
    ...row,
    releases: Object.entries(row.releases).map(([version, hash]) => ({ version, hash })),
  }))
}
