import { spawn } from 'node:child_process'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { ensurePrometheus, findFreePort } from '@corrigenda/testkit'

const ALERTS = path.resolve(import.meta.dirname, '../../../deploy/observability/alerts.yml')

export interface Prometheus {
  /** Returns the samples of an instant query, by their labels as JSON without the name. */
  query(expression: string): Promise<ReadonlyMap<string, number>>
  /**
   * Returns true if the query has had a value since this time, in seconds since 1970.
   * @throws Error if Prometheus rejects the query
   */
  hasValueSince(expression: string, start: number): Promise<boolean>
  /** Returns the names of the firing alerts. */
  listFiring(): Promise<readonly string[]>
  stop(): Promise<void>
}

type Labels = Readonly<Record<string, string>>

interface Sample {
  readonly metric: Labels
  readonly value: readonly [number, string]
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
    async hasValueSince(query, start) {
      const range = { step: '3', start: String(start), end: String(Date.now() / 1000) }
      const { result } = await read<{ result: unknown[] }>(`query_range?${new URLSearchParams({ query, ...range })}`)
      return result.length > 0
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
