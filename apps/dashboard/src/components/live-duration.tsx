import { toDuration } from '../format/amounts.ts'
import { useNow } from './use-now.ts'

/** The time from `from` to `to`, or to the current time if `to` is null. */
export function LiveDuration({ from, to }: { from: string; to: string | null }) {
  const now = useNow(to === null ? 1_000 : null)
  const end = to === null ? now : Date.parse(to)
  return <span className="nowrap">{toDuration(end - Date.parse(from))}</span>
}
