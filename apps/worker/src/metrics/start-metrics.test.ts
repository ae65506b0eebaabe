import http from 'node:http'
import os from 'node:os'
import { openOwnTestDatabase } from '@corrigenda/core/internal/test-support/open-test-database'
import { expect, onTestFinished, test } from 'vitest'
import { startMetrics } from './start-metrics.ts'

/** Responds with the status in the path. */
async function openServer(): Promise<string> {
  const server = http.createServer((request, response) => {
    response.writeHead(Number(request.url?.slice(1))).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const address = server.address()
  return typeof address === 'object' && address ? `http://127.0.0.1:${address.port}` : ''
}

test('counts the calls to the model and to the Git host by status', async () => {
  const url = await openServer()
  const database = await openOwnTestDatabase()
  const config = { metricsPort: 0, metricsProjectLabel: false, cacheDir: os.tmpdir(), concurrency: 4 }
  const metrics = await startMetrics(config, { ...database, countBusy: () => 3 })
  onTestFinished(metrics.close)
  const { model, github, gitHttp } = metrics
  for (const status of [200, 200, 529]) await model.fetch?.(`${url}/${status}`)
  await expect(model.fetch?.('http://127.0.0.1:1/')).rejects.toThrow()
  await expect(model.fetch?.(url, { signal: AbortSignal.abort() })).rejects.toThrow()
  model.onRetry?.({ code: 'model_unavailable' } as never, 1)
  await github.fetch(`${url}/422`)
  gitHttp.onAnswer?.(200)
  gitHttp.onAnswer?.(null)
  metrics.onClaim({ attempt: 1, waitedMs: 300 })
  metrics.onClaim({ attempt: 2, waitedMs: 300 })
  metrics.onPhase('editing', 4)
  const text = await (await fetch(`http://127.0.0.1:${metrics.port}/metrics`)).text()
  for (const line of [
    ...['200"} 2', '529"} 1', 'error"} 1', 'aborted"} 1'].map(
      (end) => `corrigenda_model_requests_total{status="${end}`,
    ),
    'corrigenda_model_retries_total{code="model_unavailable"} 1',
    'corrigenda_model_response_seconds_count 5',
    'corrigenda_git_host_requests_total{protocol="rest",status="422"} 1',
    'corrigenda_git_host_requests_total{protocol="git",status="200"} 1',
    'corrigenda_git_host_requests_total{protocol="git",status="error"} 1',
    'corrigenda_run_pickup_seconds_count 1',
    'corrigenda_run_phase_duration_seconds_count{phase="editing"} 1',
    'corrigenda_worker_runs 3',
    'corrigenda_worker_runs_max 4',
  ]) {
    expect(text.split('\n')).toContain(line)
  }
  expect(text).toMatch(/^corrigenda_cache_filesystem_free_bytes [1-9]/m)
})
