import { readFileSync } from 'node:fs'

const manifest: { version: string } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))

/** Product version. */
export const VERSION = manifest.version
