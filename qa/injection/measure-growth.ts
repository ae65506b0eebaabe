/** Maximum growth that counts as linear. */
export const LINEAR = 9

/**
 * Returns the factor by which CPU time grows when the size is quadrupled. The factor is 4 for
 * linear growth and 16 for quadratic growth. Uses the best of three runs and a base of at least
 * `baseMs`, so that noise on a busy machine has little effect. Repeats the run of the larger size
 * only if the factor is `LINEAR` or more, because another run cannot increase it.
 */
export async function measureGrowth(run: (size: number) => unknown, size: number, baseMs: number): Promise<number> {
  await run(size)
  const base = Math.max(
    baseMs,
    Math.min(await cpu(() => run(size)), await cpu(() => run(size)), await cpu(() => run(size))),
  )
  let growth = Number.POSITIVE_INFINITY
  for (let runs = 0; runs < 3 && growth >= LINEAR; runs += 1) {
    growth = Math.min(growth, (await cpu(() => run(4 * size))) / base)
  }
  return growth
}

/** Returns the CPU time of this process in milliseconds. */
async function cpu(run: () => unknown): Promise<number> {
  const started = process.cpuUsage()
  await run()
  const { user, system } = process.cpuUsage(started)
  return (user + system) / 1000
}
