const UNITS = [
  { word: 'd', ms: 86_400_000 },
  { word: 'h', ms: 3_600_000 },
  { word: 'min', ms: 60_000 },
] as const

/** Words for a distance in time: negative is past. "just now", "5 min ago", "in 3 d". Begun units count in what is to come only. */
export function toRelativeTime(ms: number): string {
  const size = Math.abs(ms)
  const unit = UNITS.find((unit) => size >= unit.ms)
  if (!unit) return ms > 0 ? 'in less than a minute' : 'just now'
  const amount = `${ms > 0 ? Math.ceil(size / unit.ms) : Math.floor(size / unit.ms)} ${unit.word}`
  return ms > 0 ? `in ${amount}` : `${amount} ago`
}
