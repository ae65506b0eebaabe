import { readFileSync } from 'node:fs'

const manifest: { version: string } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))

/** Product version, as shown in the OpenAPI document. */
export const VERSION = manifest.version
