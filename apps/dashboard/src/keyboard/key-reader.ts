/** Maximum time in ms between two keys of a sequence. */
const SEQUENCE_MS = 1_000

/**
 * Returns a reader that matches one key press at a time against the bindings. It waits for the
 * second key of a sequence such as `g j`.
 */
export function buildKeyReader() {
  let pending: { readonly key: string; readonly at: number } | null = null
  return {
    read(key: string, { now, known }: { now: number; known: readonly string[] }): string | null {
      const first = pending && now - pending.at <= SEQUENCE_MS ? pending.key : null
      pending = null
      const pair = `${first} ${key}`
      if (first !== null && known.includes(pair)) return pair
      if (known.some((keys) => keys.startsWith(`${key} `))) {
        pending = { key, at: now }
        return null
      }
      return known.includes(key) ? key : null
    },
  }
}
