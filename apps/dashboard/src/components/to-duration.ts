/** "7 s", "3 min 05 s", "2 h 04 min". Less than nothing (clocks differ) is nothing. */
export function toDuration(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000))
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return `${minutes} min ${pad(seconds % 60)} s`
  return `${Math.floor(minutes / 60)} h ${pad(minutes % 60)} min`
}

const pad = (count: number) => String(count).padStart(2, '0')
