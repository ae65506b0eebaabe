import { z } from 'zod'

export const KeyScope = z.enum(['jobs:read', 'jobs:write', 'project:deploy', 'webhooks:write'])
export type KeyScope = z.infer<typeof KeyScope>

/** Format of a key: `cgd_<12 base62 id>_<32 base62 secret><6 base62 CRC-32>`. */
export const KEY_PATTERN = /^cgd_([0-9A-Za-z]{12})_([0-9A-Za-z]{32})([0-9A-Za-z]{6})$/
