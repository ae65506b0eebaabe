import { DEBIAN_SITES } from './debian-sites.ts'
import { NPM_SITES } from './npm-sites.ts'
import type { SiteRecord } from './site-record.ts'

/** The sites of the corpus. Their archives are downloaded on demand. */
export const SITES: readonly SiteRecord[] = [...NPM_SITES, ...DEBIAN_SITES]
