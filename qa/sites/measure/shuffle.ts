/** Returns the items in random order. */
export function shuffle<T>(items: readonly T[], random: () => number): T[] {
  const left = [...items]
  for (let at = left.length - 1; at > 0; at -= 1) {
    const other = Math.floor(random() * (at + 1))
    ;[left[at], left[other]] = [left[other] as T, left[at] as T]
  }
  return left
}
