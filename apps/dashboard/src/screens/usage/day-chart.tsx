interface ChartDay {
  /** ISO date. */
  readonly day: string
  /** Parts of the bar, from the bottom to the top. */
  readonly parts: readonly { readonly id: string; readonly value: number }[]
  /** The values in words. Empty for a day without any. */
  readonly text: string
}

const HEIGHT = 100
const STEP = 10

/**
 * A stacked bar chart with one bar per day. Screen readers get its range; the table next to it has
 * the values. The policy of the page forbids inline styles, so that all sizes are attributes.
 */
export function DayChart(props: {
  label: string
  days: readonly ChartDay[]
  /** Formats the value of the axis. */
  toLabel: (value: number) => string
}) {
  const { label, days, toLabel } = props
  const sums = days.map(({ parts }) => parts.reduce((sum, { value }) => sum + value, 0))
  const max = Math.max(...sums)
  const [first, last] = [days[0]?.day ?? '', days.at(-1)?.day ?? '']
  return (
    <figure className="usage-chart stack gap-1">
      <span className="note muted" aria-hidden="true">
        {toLabel(max)}
      </span>
      <svg
        viewBox={`0 0 ${days.length * STEP} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${label}, ${first} to ${last}, at most ${toLabel(max)}. The table has the values.`}
      >
        {days.map(({ day, parts, text }, index) => {
          let top = HEIGHT
          return (
            <g key={day}>
              <title>{text === '' ? `${day}: none` : `${day}: ${text}`}</title>
              <rect className="usage-hover" x={index * STEP} width={STEP} height={HEIGHT} />
              {parts.map(({ id, value }) => {
                const height = max === 0 ? 0 : (value / max) * HEIGHT
                top -= height
                return height === 0 ? null : (
                  <rect key={id} data-outcome={id} x={index * STEP + 1} y={top} width={STEP - 2} height={height} />
                )
              })}
            </g>
          )
        })}
      </svg>
      <figcaption className="note spread muted" aria-hidden="true">
        <span>{first}</span>
        <span>{last}</span>
      </figcaption>
    </figure>
  )
}
