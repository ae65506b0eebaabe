import type { Random } from '../plan/random.ts'
import type { Stack } from '../stack/open-stack.ts'
import type { SupervisedProcess } from '../stack/spawn-process.ts'

/**
 * A fault that is injected into a running installation and reversed if necessary. `run` resolves
 * when the fault is over.
 */
export interface Act {
  readonly name: string
  /** Relative frequency of this act. */
  readonly weight: number
  run(stack: Stack, random: Random): Promise<void>
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

function note({ history }: Stack, act: string, target: string | null = null, pid: number | null = null): void {
  history.add({ kind: 'act', act, target, pid })
}

const running = (stack: Stack): SupervisedProcess[] =>
  stack.workers.filter((worker) => worker.pid() !== null && !worker.isStopped())

const endWorker = (name: string, weight: number, act: string, signal: 'SIGKILL' | 'SIGTERM'): Act => ({
  name,
  weight,
  async run(stack, random) {
    const candidates = running(stack)
    if (candidates.length === 0) return
    const worker = random.pick(candidates)
    note(stack, act, worker.name, worker.end(signal))
  },
})

const killWorker = endWorker('worker: kill -9', 56, 'kill', 'SIGKILL')
const terminateWorker = endWorker('worker: SIGTERM', 8, 'term', 'SIGTERM')

const killApi: Act = {
  name: 'API: kill -9',
  weight: 4,
  async run(stack) {
    note(stack, 'kill-api', 'api', stack.api.end('SIGKILL'))
  },
}

const freezeWorker: Act = {
  name: 'worker: SIGSTOP for longer than its lease',
  weight: 8,
  async run(stack, random) {
    const candidates = running(stack)
    // At least one worker keeps running.
    if (candidates.length < 2) return
    const worker = random.pick(candidates)
    note(stack, 'stop', worker.name, worker.pause())
    await pause(stack.input.leaseSeconds * 1000 * (1.4 + random.next()))
    worker.resume()
    note(stack, 'continue', worker.name, worker.pid())
  },
}

const crashPostgres: Act = {
  name: 'Postgres: immediate shutdown',
  weight: 3,
  async run(stack, random) {
    note(stack, 'postgres-crash')
    await stack.database.crash()
    await pause(random.int(0, 1500))
    await stack.database.restart()
    note(stack, 'postgres-back')
  },
}

const restartPooler: Act = {
  name: 'PgBouncer: kill -9',
  weight: 3,
  async run(stack, random) {
    note(stack, 'pooler-restart')
    await stack.pooler?.restart(random.int(0, 1500))
    note(stack, 'pooler-back')
  },
}

const emptyQueue: Act = {
  name: 'queue: loss of all entries',
  weight: 5,
  async run(stack) {
    note(stack, 'empty-queue')
    if (stack.queueServer) await stack.queueServer.flush()
    else await stack.database.query('DELETE FROM bullmq.job')
  },
}

const crashRedis = (keepFile: boolean): Act => ({
  name: keepFile ? 'Redis: kill -9' : 'Redis: kill -9 without persistence',
  weight: keepFile ? 4 : 3,
  async run(stack) {
    note(stack, keepFile ? 'redis-crash' : 'redis-crash-without-file')
    await stack.queueServer?.crash({ keepFile })
  },
})

const breakHost: Act = {
  name: 'Git host: 5xx, broken and lost responses',
  weight: 7,
  async run(stack, random) {
    const op = random.pick(['git.push', 'git.push', 'pulls.create', 'pulls.create', 'pulls.list', 'git.fetch'] as const)
    const kind = random.pick(['status', 'reset', 'apply-then-status', 'apply-then-reset'] as const)
    note(stack, 'git-host', `${op} ${kind}`)
    stack.host.fault({ op, kind, times: random.int(1, 2) })
  },
}

const breakModel: Act = {
  name: 'model: 429, 529, broken streams',
  weight: 5,
  async run(stack, random) {
    const kind = random.pick(['overloaded', 'limited', 'cut'] as const)
    note(stack, 'model', kind)
    const times = random.int(1, 4)
    if (kind === 'cut') stack.model.fault({ kind: 'cut', times })
    else if (kind === 'overloaded') stack.model.fault({ kind: 'status', status: 529, times })
    else stack.model.fault({ kind: 'status', status: 429, headers: { 'retry-after': '1' }, times })
  },
}

/** Returns all acts that apply to this installation. */
export function listActs({ queue, pooler }: Stack['input']): Act[] {
  const always = [killWorker, killApi, freezeWorker, terminateWorker, crashPostgres, emptyQueue, breakHost, breakModel]
  return [
    ...always,
    ...(queue === 'redis' ? [crashRedis(true), crashRedis(false)] : []),
    ...(pooler ? [restartPooler] : []),
  ]
}
