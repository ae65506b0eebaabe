import { createHash } from 'node:crypto'

/** Returns the Git ID of an object with these bytes. */
export function hashObject(type: 'blob' | 'tree' | 'commit' | 'tag', bytes: Uint8Array): string {
  return createHash('sha1').update(`${type} ${bytes.length}\0`).update(bytes).digest('hex')
}
