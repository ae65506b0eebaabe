import { Badge } from '../../components/badge.tsx'
import { RelativeTime } from '../../components/relative-time.tsx'
import { useNow } from '../../components/use-now.ts'

const SOON_MS = 7 * 86_400_000

/** A key's expiration time, with a badge if the key is active and expires within seven days. */
export function ExpiryNote({ expiresAt, isActive }: { expiresAt: string | null; isActive: boolean }) {
  const now = useNow(60_000)
  if (expiresAt === null) return <span className="muted">Never</span>
  const isSoon = isActive && Date.parse(expiresAt) - now <= SOON_MS
  return (
    <span className="cluster">
      <RelativeTime at={expiresAt} />
      {isSoon ? (
        <Badge icon="warning" tone="warn" hint="Rotate this key before it expires.">
          Soon
        </Badge>
      ) : null}
    </span>
  )
}
