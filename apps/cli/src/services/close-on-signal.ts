/**
 * Waits for SIGTERM or SIGINT, then closes gracefully. A second signal, or a shutdown that exceeds
 * the time limit, terminates the process immediately. No jobs are lost in either case, because
 * another worker continues them when their leases expire.
 */
export async function closeOnSignal(close: () => Promise<void>, limitMs = 15_000): Promise<void> {
  await new Promise<void>((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => resolve())
  })
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => process.exit(1))
  setTimeout(() => process.exit(1), limitMs).unref()
  await close()
}
