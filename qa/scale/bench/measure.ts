import type { Side } from './side.ts'

/** Something to measure on both sides. */
export interface Operation {
  readonly name: string
  /** Maximum number of measurements per side. Default: the caller's. */
  readonly samples?: number
  /** Prepares the operation on one side. */
  open(side: Side): Promise<Probe> | Probe
}

/** `prepare` and `settle` are not measured. They keep the state of both sides the same. */
export interface Probe {
  prepare?(n: number): Promise<unknown>
  run(n: number): Promise<unknown>
  settle?(n: number): Promise<unknown>
}

export interface Measurement {
  readonly name: string
  readonly small: Figures
  readonly large: Figures
}

export interface Figures {
  readonly p50: number
  readonly p99: number
  /** Median number of database pages that the operation reads. */
  readonly pages: number
}

/** Rounds of measurements. The p99 is the median of the rounds', so that one disturbance does not count. */
const ROUNDS = 3
/** Measurements before the first round, which fill caches. They also count pages. */
const WARM_UP = 5

/** Measures an operation on both sides in turns, so that other load on the machine affects both. */
export async function measure(
  operation: Operation,
  sides: { small: Side; large: Side },
  samples: number,
): Promise<Measurement> {
  const order = [sides.small, sides.large]
  const probes = new Map<Side, Probe>()
  for (const side of order) probes.set(side, await operation.open(side))
  const perRound = Math.max(1, Math.floor((Math.min(samples, operation.samples ?? samples) - WARM_UP) / ROUNDS))
  const times = new Map(order.map((side) => [side, [] as number[][]]))
  const pages = new Map(order.map((side) => [side, [] as number[]]))
  const take = async (side: Side, n: number) => {
    const probe = probes.get(side)
    await probe?.prepare?.(n)
    const counted = n < WARM_UP ? await countPages(side) : 0
    const start = performance.now()
    await probe?.run(n)
    const ms = performance.now() - start
    if (n < WARM_UP) pages.get(side)?.push((await countPages(side)) - counted)
    await probe?.settle?.(n)
    return ms
  }
  let n = 0
  for (; n < WARM_UP; n += 1) for (const side of order) await take(side, n)
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const side of order) times.get(side)?.push([])
    for (let taken = 0; taken < perRound; taken += 1, n += 1) {
      for (const side of n % 2 === 0 ? order : order.toReversed())
        times
          .get(side)
          ?.at(-1)
          ?.push(await take(side, n))
    }
  }
  const toFigures = (side: Side): Figures => {
    const rounds = times.get(side) ?? []
    return {
      p50: quantile(rounds.flat(), 0.5),
      p99: quantile(
        rounds.map((round) => quantile(round, 0.99)),
        0.5,
      ),
      pages: quantile(pages.get(side) ?? [], 0.5),
    }
  }
  return { name: operation.name, small: toFigures(sides.small), large: toFigures(sides.large) }
}

export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

async function countPages({ pool }: Side): Promise<number> {
  const { rows } = await pool.query<{ pages: string }>(
    `SELECT sum(shared_blks_hit + shared_blks_read) AS pages FROM pg_stat_statements s JOIN pg_database d ON d.oid = s.dbid
     WHERE d.datname = current_database() AND query NOT LIKE '%pg_stat_statements%'`,
  )
  return Number(rows[0]?.pages ?? 0)
}
