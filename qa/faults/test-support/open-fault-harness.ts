import { cp } from 'node:fs/promises'
import path from 'node:path'
import type { CallModelOptions } from '@corrigenda/agent/model'
import { type AllowedHosts, CreateAgentJobRequest } from '@corrigenda/contracts'
import { COMMAND_LINE } from '@corrigenda/core/audit'
import { createProject, updateProjectSettings } from '@corrigenda/core/projects'
import type { ServerProfile } from '@corrigenda/testkit'
import {
  type BackendKind,
  FULL,
  openTestService,
  type TestService,
} from '@corrigenda/worker/internal/e2e/test-support/open-test-service'
import { act, type Scene } from './act.ts'
import type { FaultScenario } from './fault-row.ts'
import { createRowJob, type RowJob, readRowJob } from './row-job.ts'
import { buildRowPrompt, rowFiles } from './row-script.ts'
import { startImpatientWorker } from './start-impatient-worker.ts'
import { type RunWatch, type WatchedRun, watchRuns } from './watch-runs.ts'

/**
 * A run's planned wait, in seconds. `waiting` was requested by a server and does not use an
 * attempt. `error` was chosen by the service and uses one.
 */
export interface Wait {
  readonly reason: 'waiting' | 'error'
  readonly seconds: number
}

export interface RowResult {
  readonly row: FaultScenario
  /** Original `owner/name` of the row's repository. */
  readonly full: string
  readonly job: RowJob
  readonly run: WatchedRun
  /** The run's planned waits, in order. */
  readonly waits: readonly Wait[]
  /** True if short Git host deadlines applied. */
  readonly impatient: boolean
}

export interface FaultHarness {
  readonly service: TestService
  /** Creates the row's job and waits until it has ended. `duringWait` is called during the first wait. */
  run(row: FaultScenario, duringWait?: () => Promise<void>): Promise<RowResult>
  close(): Promise<void>
}

export interface HarnessOptions {
  readonly app?: boolean
  /** Default: the Messages API. */
  readonly modelProfile?: ServerProfile
  readonly concurrency?: number
  /** Overrides model API settings from the environment. */
  readonly anthropic?: Partial<CallModelOptions>
  /** Uses short deadlines for the Git host. */
  readonly impatient?: boolean
}

/** No server listens on the discard port. */
const CLOSED = '127.0.0.1:9'
const SOURCE = { name: 'api', ref: null, paths: [], visibility: null, cite: null, quotable: [] }
/** No row has a deploy target. */
const NO_KEY = Buffer.alloc(32)
const EMPTY = 'faults/without-commits'
/**
 * A copy of the service's repository made before any writes, because a copy made during a write may
 * be inconsistent.
 */
const PRISTINE = 'faults/pristine'

/**
 * Opens a complete service with one worker that runs many rows concurrently. Each row has a
 * separate project and conversation, and a separate repository unless it tests the model. Delays
 * between model call retries are short. Runs' waits are recorded and then skipped.
 */
export async function openFaultHarness(kind: BackendKind, options: HarnessOptions = {}): Promise<FaultHarness> {
  const { app, modelProfile } = options
  const service = await openTestService(kind, {
    files: rowFiles(),
    ...(app ? { app } : {}),
    ...(modelProfile ? { modelProfile } : {}),
  })
  await service.host.createRepository(EMPTY, { commits: [] })
  await copyRepository(service.host.root, FULL, PRISTINE)
  // Includes buildCallModel settings that the environment cannot set.
  const anthropic = { ...service.config.anthropic, firstWaitMs: 10, idleTimeoutMs: 2_000, ...options.anthropic }
  const allowedRepositoryHosts = [...service.config.allowedRepositoryHosts, CLOSED]
  const { concurrency = 12 } = options
  const impatient = options.impatient ? await startImpatientWorker(service) : null
  if (impatient === null) await service.startWorker({ concurrency, anthropic, allowedRepositoryHosts })
  const watch = watchRuns(service.database)
  let last: Promise<unknown> = Promise.resolve()
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const done = last.then(work)
    last = done.catch(() => {})
    return done
  }
  return {
    service,
    run: (row, duringWait) =>
      runRow({ service, watch, allowedRepositoryHosts, impatient: impatient !== null, inTurn, duringWait }, row),
    async close() {
      watch.stop()
      await impatient?.close()
      await service.close()
    },
  }
}

interface RowDeps {
  readonly service: TestService
  readonly watch: RunWatch
  readonly allowedRepositoryHosts: AllowedHosts
  readonly impatient: boolean
  /** Creates jobs one at a time. Concurrent creation would wait too long for a connection. */
  inTurn<T>(work: () => Promise<T>): Promise<T>
  readonly duringWait: (() => Promise<void>) | undefined
}

async function runRow(deps: RowDeps, row: FaultScenario): Promise<RowResult> {
  const { host, model, database } = deps.service
  // Only Git host faults require a separate repository.
  const full = row.model || row.turns ? FULL : `faults/${row.id}`
  const source = `${full}-code`
  const scene: Scene = { host, model, full, source }
  if (full !== FULL && row.repository !== 'missing' && row.repository !== 'closed') {
    await copyRepository(host.root, row.repository === 'empty' ? EMPTY : PRISTINE, full)
  }
  if (row.source === 'code' || row.source === 'empty') {
    await copyRepository(host.root, row.source === 'empty' ? EMPTY : PRISTINE, source)
  }
  await act(scene, row.arrange)
  const repository = row.repository === 'closed' ? `http://${CLOSED}/${full}` : host.repositoryUrl(full)
  const request = CreateAgentJobRequest.parse({ ...row.request, prompt: buildRowPrompt(row) })
  const { project, jobId } = await deps.inTurn(async () => {
    const project = await createProject(
      { audit: COMMAND_LINE, ...database, ...deps },
      { name: row.id, repository, baseBranch: null },
    )
    if (row.source !== undefined) {
      const sources = [{ ...SOURCE, repository: host.repositoryUrl(source) }]
      const settingsDeps = { audit: COMMAND_LINE, ...database, ...deps, allowedHookHosts: [], deployTargetKey: NO_KEY }
      await updateProjectSettings(settingsDeps, { projectId: project.id, change: { sources } })
    }
    return { project, jobId: await createRowJob(database, { projectId: project.id, request, row }) }
  })
  const acts = row.duringAgent.length > 0 ? actDuringAgent(scene, row) : Promise.resolve()
  let waits = 0
  for (;;) {
    const run = await deps.watch.whenStill(jobId)
    if (!run.active) {
      await acts
      const job = await readRowJob(database, { projectId: project.id, id: jobId })
      return { row, full, run, waits: await listWaits(database, jobId), job, impatient: deps.impatient }
    }
    waits += 1
    if (waits === 1) {
      await act(scene, row.duringWait)
      await deps.duringWait?.()
    }
    await database.prisma.$executeRaw`UPDATE runs SET next_run_at = now() - interval '1 second' WHERE id = ${run.id}`
  }
}

/** Copies a repository, which is much faster than creating one. */
function copyRepository(root: string, from: string, to: string): Promise<void> {
  return cp(path.join(root, `${from}.git`), path.join(root, `${to}.git`), { recursive: true })
}

async function actDuringAgent(scene: Scene, row: FaultScenario): Promise<void> {
  await scene.model.whenHeld(row.id)
  await act(scene, row.duringAgent)
  scene.model.release(row.id)
}

/**
 * Returns the waits written to `next_run_at`. Reads them from the events, because polling can miss
 * short waits on a busy machine.
 */
async function listWaits({ prisma }: TestService['database'], jobId: string): Promise<Wait[]> {
  const events = await prisma.jobEvent.findMany({ where: { jobId, type: 'job.released' }, orderBy: { seq: 'asc' } })
  return events.map(({ data, createdAt }) => {
    const { reason, notBefore }: { reason: Wait['reason']; notBefore: string } = Object(data)
    return { reason, seconds: (Date.parse(notBefore) - createdAt.getTime()) / 1000 }
  })
}
