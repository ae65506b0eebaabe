import { buildRandom } from '../chaos/plan/random.ts'
import type { AcmeProject } from './acme/acme.ts'
import { findDifference } from './acme/find-difference.ts'
import { openAcme } from './acme/open-acme.ts'
import { readEverything } from './acme/read-state.ts'
import { runQuietly } from './acme/run-rounds.ts'
import { runTenant } from './acme/run-tenant.ts'
import { checkHooks } from './check/check-hooks.ts'
import { checkHost } from './check/check-host.ts'
import { checkJobs } from './check/check-jobs.ts'
import { checkLogs, checkProcesses } from './check/check-logs.ts'
import { openIntruder } from './intruder/open-intruder.ts'
import { closeAll, runWalk } from './intruder/run-walk.ts'
import { openOperator } from './stack/open-account.ts'
import type { Stack } from './stack/open-stack.ts'

export interface WalkResult {
  readonly figures: Readonly<Record<string, unknown>>
  readonly violations: readonly string[]
}

/** Actions between two comparisons of the tenant's quiet project. */
const CHECKPOINT = 400

/**
 * Runs the tenant's rounds in its quiet project, then in its other project while the intruder walks,
 * and reports every difference.
 */
export async function runTenants(
  stack: Stack,
  { seed, actions, say }: { seed: number; actions: number; say: (line: string) => void },
): Promise<WalkResult> {
  const random = buildRandom(seed)
  const operator = await openOperator(stack)
  const acme = await openAcme(stack, operator)
  const baseline = await runQuietly(acme.rest, random.fork('quiet'))
  const violations = await checkJobs(acme.rest)
  say(`${baseline.size} rounds of the quiet run ended`)
  const intruder = await openIntruder({ stack, operator, random: random.fork('intruder'), acme })
  const quiet = await readSettled(acme.rest)
  const tenant = runTenant(acme.live, random.fork('live'), baseline)
  const times = new Map<string, number>()
  const compareQuiet = async (when: string) => {
    const difference = findDifference(quiet, await readEverything(acme.rest))
    if (difference !== null) violations.push(`quiet project after ${when}: ${difference}`)
    violations.push(...checkProcesses(stack).map((what) => `after ${when}: ${what}`))
  }
  for (let first = 0; first < actions; first += CHECKPOINT) {
    const part = Math.min(CHECKPOINT, actions - first)
    for (const [name, count] of await runWalk(intruder, { first, actions: part })) {
      times.set(name, (times.get(name) ?? 0) + count)
    }
    await compareQuiet(`action ${first + part - 1}`)
    const { rounds, jobs } = tenant.counts()
    say(`${first + part} actions, ${rounds} rounds and ${jobs} other jobs of the tenant`)
  }
  closeAll(intruder)
  violations.push(...(await tenant.stop()), ...intruder.found)
  violations.push(...(await checkJobs(acme.live)))
  await compareQuiet('the walk')
  await readSettled(acme.live)
  for (const project of [acme.live, acme.rest]) violations.push(...(await checkHost(project)))
  const projects = [acme.live, acme.rest]
  violations.push(...checkHooks(projects, stack.receivers.acme.received))
  violations.push(...checkLogs(stack, projects))
  for (const { path, body } of stack.receivers.intruder.received) {
    for (const leak of intruder.leaks.find({ path }, { text: body, json: null, headers: {} })) {
      violations.push(`the intruder's receiver got ${leak}: ${body.slice(0, 500)}`)
    }
  }
  for (const what of stack.model.rejected()) violations.push(`the model API rejected a request: ${what}`)
  const statuses = Object.fromEntries([...intruder.statuses].sort(([a], [b]) => a.localeCompare(b)))
  return {
    figures: {
      actions: Object.fromEntries(times),
      responses: statuses,
      rounds: tenant.counts().rounds,
      jobs: acme.live.jobs.size + acme.rest.jobs.size,
      'webhook requests': stack.receivers.acme.received.length,
      "intruder's webhook requests": stack.receivers.intruder.received.length,
    },
    violations,
  }
}

/** Reads the project until its webhook deliveries have ended and it no longer changes. */
async function readSettled(project: AcmeProject): Promise<unknown> {
  const deadline = Date.now() + 120_000
  let before = await readEverything(project)
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, 1_000))
    const after = await readEverything(project)
    const isPending = JSON.stringify(after).includes('"status":"pending"')
    if (!isPending && findDifference(before, after) === null) return after
    if (Date.now() > deadline) throw new Error(`${project.name} did not settle: ${findDifference(before, after)}`)
    before = after
  }
}
