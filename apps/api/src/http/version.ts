import { readFileSync } from 'node:fs'

const manifest: { version: string } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))

/** Version of the product, as the API document tells it. */
export const VERSION = manifest.version
