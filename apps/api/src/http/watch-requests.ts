import type { FastifyInstance } from 'fastify'

/** Upper bounds of the buckets for the duration of requests, in seconds. */
export const REQUEST_BUCKETS: readonly number[] = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** The requests to one route that had the same method and status. */
export interface RequestSeries {
  readonly labels: Readonly<Record<'method' | 'route' | 'status', string>>
  /** Number of requests in each bucket. The last one has no upper bound. */
  readonly counts: number[]
  /** Sum of the durations in seconds. */
  sum: number
}

/** The requests that this process has answered since its start. */
export interface RequestWatch {
  /** Counts the requests to this server. Must be called before the routes are added. */
  watch(app: FastifyInstance): void
  read(): readonly RequestSeries[]
}

/**
 * Builds a count of requests by route, method, status and duration. Counting a request of a known
 * combination allocates nothing.
 */
export function buildRequestWatch(): RequestWatch {
  const all: RequestSeries[] = []
  const byMethod = new Map<string, Map<string, Map<number, RequestSeries>>>()

  const find = (method: string, route: string, status: number): RequestSeries => {
    const byRoute = getOrAdd(byMethod, method, () => new Map())
    const byStatus = getOrAdd(byRoute, route, () => new Map())
    return getOrAdd(byStatus, status, () => {
      const labels = { method, route, status: String(status) }
      const series = { labels, counts: [...REQUEST_BUCKETS, Infinity].map(() => 0), sum: 0 }
      all.push(series)
      return series
    })
  }

  return {
    watch(app) {
      app.addHook('onResponse', (request, reply, done) => {
        const { url } = request.routeOptions
        // The paths and methods of requests without a route have no limit.
        const series =
          url === undefined ? find('any', 'unknown', reply.statusCode) : find(request.method, url, reply.statusCode)
        const seconds = reply.elapsedTime / 1000
        let bucket = 0
        while (seconds > (REQUEST_BUCKETS[bucket] ?? Infinity)) bucket += 1
        series.counts[bucket] = (series.counts[bucket] ?? 0) + 1
        series.sum += seconds
        done()
      })
    },
    read: () => all,
  }
}

function getOrAdd<K, V>(map: Map<K, V>, key: K, build: () => V): V {
  const found = map.get(key)
  if (found !== undefined) return found
  const built = build()
  map.set(key, built)
  return built
}
