import { toRelativeTime } from '../format/amounts.ts'
import { useNow } from './use-now.ts'

/** A relative time such as "5 min ago", with the full time as a tooltip. Updates automatically. */
export function RelativeTime({ at }: { at: string }) {
  const now = useNow(10_000)
  return (
    <time dateTime={at} title={new Date(at).toLocaleString()} className="nowrap">
      {toRelativeTime(Date.parse(at) - now)}
    </time>
  )
}
