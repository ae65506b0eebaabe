/** A bar for the used part of a limit. Shown in red from 80 %. */
export function Meter({ used, limit, label }: { used: number; limit: number; label: string }) {
  return (
    <meter className="meter" min={0} max={limit} high={limit * 0.8} value={used} aria-label={label}>
      {Math.round((used / limit) * 100)}%
    </meter>
  )
}
