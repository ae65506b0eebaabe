import pg from 'pg'

/** The channel on which the `job_events` trigger sends `<job id> <seq>`. */
const CHANNEL = 'corrigenda_job_events'
const FIRST_WAIT_MS = 100
const MAX_WAIT_MS = 5_000

export interface EventWatch {
  close(): Promise<void>
}

/**
 * Listens for job events on a separate connection until closed, and reconnects when the connection
 * is lost. A notification may be lost with its connection, so readers must rely on the rows.
 * @param input.onWake called with the id of a job that has new events, or with null when any job
 * may have new events because notifications may have been missed
 * @param input.checkMs interval at which dead connections are detected and all readers are woken
 * even without a notification
 */
export function watchEvents(input: {
  url: string
  checkMs: number
  onWake: (jobId: string | null) => void
  onLost: (error: Error) => void
}): EventWatch {
  let closed = false
  let client: pg.Client | null = null
  let waitMs = FIRST_WAIT_MS
  let retry: NodeJS.Timeout | undefined

  // Connections with a query in progress. The query timeout detects a dead connection.
  const asking = new Set<pg.Client>()

  const lose = (lost: pg.Client, error: Error) => {
    if (client !== lost) return
    client = null
    lost.end().catch(() => {})
    if (closed) return
    input.onLost(error)
    retry = setTimeout(connect, waitMs)
    waitMs = Math.min(MAX_WAIT_MS, waitMs * 2)
  }

  const connect = () => {
    const fresh = new pg.Client({
      connectionString: input.url,
      connectionTimeoutMillis: 5_000,
      query_timeout: 5_000,
      keepAlive: true,
    })
    client = fresh
    fresh.on('error', (error) => lose(fresh, error))
    fresh.on('end', () => lose(fresh, new Error('the connection was closed')))
    fresh.on('notification', ({ payload }) => {
      const [jobId] = (payload ?? '').split(' ')
      if (jobId) input.onWake(jobId)
    })
    ask(fresh, () => listen(fresh))
  }

  const ask = (asked: pg.Client, question: () => Promise<unknown>) => {
    asking.add(asked)
    question()
      .catch((error: Error) => lose(asked, error))
      .finally(() => asking.delete(asked))
  }

  const listen = async (fresh: pg.Client) => {
    await fresh.connect()
    await fresh.query(`LISTEN ${CHANNEL}`)
    waitMs = FIRST_WAIT_MS
    // Covers events that occurred while disconnected.
    input.onWake(null)
  }

  const check = setInterval(() => {
    const checked = client
    if (checked && !asking.has(checked)) ask(checked, () => checked.query('SELECT 1'))
    input.onWake(null)
  }, input.checkMs)
  connect()

  return {
    async close() {
      closed = true
      clearInterval(check)
      clearTimeout(retry)
      const last = client
      client = null
      await last?.end().catch(() => {})
    },
  }
}
