/** Two keys after each other count as one when they come within so many ms. */
const SEQUENCE_MS = 1_000

/** Reads keys one by one and answers which binding they are: `g` alone is the beginning of `g j`. */
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
