import type { PartResult } from './parts/part.ts'

/** Maximum number of violations shown per part. Further violations are only counted. */
const MAX_SHOWN = 20

/** Formats the figures and violations of one part as lines. */
export function formatResult({ part, queue, seconds, figures, violations, kept }: PartResult): string {
  const width = Math.max(...Object.keys(figures).map((name) => name.length), 0)
  const lines = [`${part} on ${queue} (${seconds.toFixed(0)} s): ${violations.length === 0 ? 'passed' : 'FAILED'}`]
  for (const [name, value] of Object.entries(figures)) lines.push(`  ${name.padEnd(width)}  ${value}`)
  for (const violation of violations.slice(0, MAX_SHOWN)) lines.push(`  ! ${violation}`)
  if (violations.length > MAX_SHOWN) lines.push(`  ! … and ${violations.length - MAX_SHOWN} more`)
  if (kept !== null) lines.push(`  history and logs: ${kept}`)
  return lines.join('\n')
}

export function formatVerdict(results: readonly PartResult[], seed: number): string {
  const broken = results.filter(({ violations }) => violations.length > 0)
  const rows = results.map(({ part, queue, seconds, violations }) =>
    [part.padEnd(10), queue.padEnd(10), `${seconds.toFixed(0)} s`.padStart(7), `violations: ${violations.length}`].join(
      ' ',
    ),
  )
  const verdict =
    broken.length === 0
      ? `All invariants held (seed ${seed}).`
      : `${broken.length} of ${results.length} parts violated an invariant (seed ${seed}).`
  return [...rows, verdict].join('\n')
}
