import { spawn } from 'node:child_process'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { ensurePrometheus, findFreePort } from '@corrigenda/testkit'

const ALERTS = path.resolve(import.meta.dirname, '../../../deploy/observability/alerts.yml')

/** Times in seconds since 1970. */
export interface TimeRange {
  readonly start: number
  readonly end: number
}

export interface Series {
  readonly labels: Readonly<Record<string, string>>
  /** Seconds since 1970 and value, which may be NaN. */
  readonly points: readonly (readonly [number, number])[]
}

export interface Prometheus {
  /** Returns the samples of an instant query, by their labels as JSON without the name. */
  query(expression: string): Promise<ReadonlyMap<string, number>>
  /** Returns the series of a query over a time range. */
  queryRange(expression: string, range: TimeRange): Promise<readonly Series[]>
  /** Returns the names of the firing alerts. */
  listFiring(): Promise<readonly string[]>
  stop(): Promise<void>
}

type Labels = Readonly<Record<string, string>>

interface Sample {
  readonly metric: Labels
  readonly value: readonly [number, string]
}

interface Matrix {
  readonly metric: Labels
  readonly values: readonly (readonly [number, string])[]
}

/**
 * Starts a real Prometheus that scrapes the targets every 3 s with the shipped alert rules. Their
 * waiting times are shortened to 2 s.
 * @param targets `host:port` by the name of the scrape job
 */
export async function startPrometheus(
  dir: string,
  targets: Readonly<Record<string, readonly string[]>>,
): Promise<Prometheus> {
  const program = await ensurePrometheus()
  await mkdir(dir, { recursive: true })
  const rules = (await readFile(ALERTS, 'utf8')).replaceAll(/^( +for:) \d+m$/gm, '$1 2s')
  await writeFile(path.join(dir, 'alerts.yml'), rules)
  const jobs = Object.entries(targets).map(([job_name, list]) => ({ job_name, static_configs: [{ targets: list }] }))
  // JSON is valid YAML.
  const config = {
    global: { scrape_interval: '3s', scrape_timeout: '3s', evaluation_interval: '1s' },
    rule_files: ['alerts.yml'],
    scrape_configs: jobs,
  }
  await writeFile(path.join(dir, 'prometheus.yml'), JSON.stringify(config))
  const address = `127.0.0.1:${await findFreePort()}`
  const child = spawn(
    program,
    [
      `--config.file=${path.join(dir, 'prometheus.yml')}`,
      `--storage.tsdb.path=${path.join(dir, 'data')}`,
      `--web.listen-address=${address}`,
      '--log.level=warn',
    ],
    { stdio: ['ignore', 'ignore', 'inherit'] },
  )
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const read = async <T>(route: string): Promise<T> => {
    const response = await fetch(`http://${address}/api/v1/${route}`)
    const answer = (await response.json()) as { data: T; error?: string }
    if (!response.ok) throw new Error(`Prometheus rejects ${decodeURIComponent(route)}: ${answer.error}`)
    return answer.data
  }
  return {
    async query(expression) {
      const { result } = await read<{ result: Sample[] }>(`query?query=${encodeURIComponent(expression)}`)
      return new Map(
        result.map(({ metric: { __name__, ...labels }, value }) => [
          Object.values(labels).filter(Boolean).sort().join(' '),
          Number(value[1]),
        ]),
      )
    },
    async queryRange(expression, { start, end }) {
      // At most 240 points, no more than one per scrape.
      const step = Math.max(3, (end - start) / 240)
      const parameters = new URLSearchParams({
        query: expression,
        step: String(step),
        start: String(start),
        end: String(end),
      })
      const { result } = await read<{ result: Matrix[] }>(`query_range?${parameters}`)
      return result.map(({ metric: { __name__, ...labels }, values }) => ({
        labels,
        points: values.map(([time, value]) => [time, Number(value)] as const),
      }))
    },
    async listFiring() {
      const { alerts } = await read<{ alerts: { state: string; labels: { alertname: string } }[] }>('alerts')
      return alerts.filter(({ state }) => state === 'firing').map(({ labels }) => labels.alertname)
    },
    async stop() {
      child.kill('SIGTERM')
      await exited
    },
  }
}
