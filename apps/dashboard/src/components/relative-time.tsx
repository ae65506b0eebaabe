import { toRelativeTime } from '../format/amounts.ts'
import { useNow } from './use-now.ts'

/** "5 min ago", with the whole time as a hint. Keeps up by itself. */
export function RelativeTime({ at }: { at: string }) {
  const now = useNow(10_000)
  return (
    <time dateTime={at} title={new Date(at).toLocaleString()} className="nowrap">
      {toRelativeTime(Date.parse(at) - now)}
    </time>
  )
}
