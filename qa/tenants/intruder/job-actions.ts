import { type ScriptItem, type ScriptTurn, scriptPrompt } from '@corrigenda/testkit'
import { toMarker, toPath } from '../../chaos/plan/build-pages.ts'
import { PAGES } from '../stack/open-stack.ts'
import type { Action } from './action.ts'
import { hostileText, hostileValue } from './hostile-texts.ts'
import { ask, create, type Intruder, pickOwn, pickSender } from './intruder.ts'

const toJobs = ({ project }: Intruder) => `/v2/agent/${project.id}`

/** A script that does what the agent must not do, or that keeps it busy. */
function buildHostileScript({ random }: Intruder): readonly ScriptTurn[] {
  const page = random.int(0, PAGES - 2)
  const text = hostileText(random, 2_000).toWellFormed()
  const items: readonly (() => ScriptItem)[] = [
    () => ({ tool: 'edit', input: { path: toPath(page), old_str: toMarker(page), new_str: text || 'x' } }),
    () => ({ tool: 'create', input: { path: '.github/workflows/x.yml', file_text: 'on: push' } }),
    () => ({ tool: 'create', input: { path: `../${text.slice(0, 50)}`, file_text: text } }),
    () => ({
      tool: 'create',
      input: { path: `notes-${random.int(0, 99)}.md`, file_text: `# Note\n\n${'x '.repeat(40_000)}\n` },
    }),
    () => ({ tool: 'view', input: { path: text } }),
    () => ({ tool: 'grep', input: { pattern: '(a+)+$' } }),
    () => ({ tool: hostileText(random, 40).toWellFormed() || 'x', input: {} }),
    () => ({ delay: random.int(100, 3_000) }),
    () => ({ fault: random.pick([{ kind: 'status', status: 529 }, { kind: 'cut' }, { kind: 'reset' }] as const) }),
    () => ({ text }),
  ]
  const turns = Array.from({ length: random.int(1, 4) }, () =>
    Array.from({ length: random.int(1, 3) }, () => random.pick(items)()),
  )
  const finish: ScriptTurn = [
    { tool: 'finish', input: { outcome: 'changed', title: text.slice(0, 72) || 'x', body: text } },
  ]
  return [...turns, finish]
}

function buildHostileJob(intruder: Intruder): object {
  const { random } = intruder
  const text = (max: number) => hostileText(random, max)
  const prompt = random.chance(0.7)
    ? scriptPrompt(text(500).toWellFormed() || 'x', buildHostileScript(intruder), { id: String(random.int(0, 1e9)) })
    : text(random.pick([10, 1_000, 100_001]))
  const optional: Record<string, () => unknown> = {
    title: () => text(200),
    branch: () =>
      random.pick([
        'corrigenda/x',
        'docs/y',
        'main',
        'release/1',
        `corrigenda/${intruder.foreign.pick('job', random)}`,
        text(50),
      ]),
    ref: () => random.pick(['main', 'missing', text(40), `corrigenda/${intruder.foreign.pick('job', random)}`]),
    labels: () => Array.from({ length: random.int(1, 20) }, () => text(50)),
    metadata: () => Object.fromEntries(Array.from({ length: random.int(1, 50) }, (_, n) => [text(30) + n, text(500)])),
    model: () => random.pick(['claude-sonnet-5-5', 'unknown-model', text(50)]),
    draft: () => random.chance(0.5),
    dedupe: () => random.chance(0.5),
  }
  const fields = Object.entries(optional).filter(() => random.chance(0.25))
  const body = { prompt, ...Object.fromEntries(fields.map(([name, build]) => [name, build()])) }
  return random.chance(0.1)
    ? { ...body, [random.pick(['prompt', 'labels', 'metadata', 'ref'])]: hostileValue(random) }
    : body
}

export const JOB_ACTIONS: readonly Action[] = [
  {
    name: 'create a hostile job',
    weight: 8,
    run: (intruder) =>
      create(
        intruder,
        { as: pickSender(intruder), method: 'POST', path: `${toJobs(intruder)}/job`, body: buildHostileJob(intruder) },
        'job',
      ),
  },
  {
    name: 'work on an own job',
    weight: 8,
    async run(intruder) {
      const { random } = intruder
      const verb = random.pick(['cancel', 'archive', 'retry', 'message'])
      const path = `${toJobs(intruder)}/job/${pickOwn(intruder, 'job')}/${verb}`
      const body = verb === 'message' ? { prompt: hostileText(random, 1_000) || 'x' } : undefined
      return create(intruder, { as: pickSender(intruder), method: 'POST', path, body }, 'job')
    },
  },
  {
    name: 'read an own job',
    weight: 5,
    run: (intruder) =>
      ask(intruder, {
        as: pickSender(intruder),
        path: `${toJobs(intruder)}/job/${pickOwn(intruder, 'job')}${intruder.random.pick(['', '/events', '/changes'])}`,
      }),
  },
  {
    name: 'delete an own job',
    weight: 2,
    run: (intruder) =>
      ask(intruder, {
        as: pickSender(intruder),
        method: 'DELETE',
        path: `${toJobs(intruder)}/job/${pickOwn(intruder, 'job')}`,
      }),
  },
  {
    name: 'repeat a request of the other tenant',
    weight: 3,
    async run(intruder) {
      const { random, acme, found } = intruder
      // The idempotency rounds use the word of their job as the key.
      const jobs = [...random.pick([acme.live, acme.rest]).jobs.values()]
      const job = random.pick(jobs)
      const answer = await create(
        intruder,
        {
          as: 'all',
          method: 'POST',
          path: `${toJobs(intruder)}/job`,
          body: { prompt: 'Do nothing.' },
          headers: { 'idempotency-key': job.word },
        },
        'job',
      )
      if (answer?.headers['idempotent-replayed'] !== undefined && !repeated.has(job.word)) {
        found.push(`${intruder.action}: the response of the other tenant's request ${job.word} was replayed`)
      }
      repeated.add(job.word)
    },
  },
]

const repeated = new Set<string>()
