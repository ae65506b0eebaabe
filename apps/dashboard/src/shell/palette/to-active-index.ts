const PAGE = 8

/**
 * Returns the active option after a key press in the combobox, or null if the key does not move it.
 * The arrow keys go around at the ends.
 */
export function toActiveIndex(key: string, { active, count }: { active: number; count: number }): number | null {
  if (count === 0) return null
  switch (key) {
    case 'ArrowDown':
      return (active + 1) % count
    case 'ArrowUp':
      return (active + count - 1) % count
    case 'PageDown':
      return Math.min(active + PAGE, count - 1)
    case 'PageUp':
      return Math.max(active - PAGE, 0)
    default:
      return null
  }
}
