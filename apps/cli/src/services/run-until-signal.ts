/**
 * Waits for SIGTERM or SIGINT, then closes gracefully. A second signal, or a close that exceeds the
 * limit, ends the process at once. Jobs are safe in both cases: another worker continues them when
 * the lease expires.
 */
export async function closeOnSignal(close: () => Promise<void>, limitMs = 15_000): Promise<void> {
  await new Promise<void>((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => resolve())
  })
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => process.exit(1))
  setTimeout(() => process.exit(1), limitMs).unref()
  await close()
}
