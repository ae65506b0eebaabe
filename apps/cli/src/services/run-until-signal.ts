/**
 * Waits for SIGTERM or SIGINT, then closes in good order. A second signal, or a close that takes too long, ends the process at once: jobs are
 * safe either way, a successor continues them when their lease ends.
 */
export async function closeOnSignal(close: () => Promise<void>, limitMs = 15_000): Promise<void> {
  await new Promise<void>((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => resolve())
  })
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => process.exit(1))
  setTimeout(() => process.exit(1), limitMs).unref()
  await close()
}
