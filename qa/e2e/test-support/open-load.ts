import type { AgentJob } from '@corrigenda/contracts'
import { scriptPrompt } from '@corrigenda/testkit'
import { expect, vi } from 'vitest'
import { type openRollingServices, PAGE, REPOSITORY } from './open-rolling-services.ts'

type LoadedJob = Pick<AgentJob, 'id' | 'status' | 'outcome' | 'pullRequest'>
type Services = Awaited<ReturnType<typeof openRollingServices>>

const WAIT = { timeout: 400_000, interval: 200 }
const VIEWS = 3

/** Creates and reads the jobs of one project, and records every response that is not a success. */
export function openLoad({ send, host }: Services, { project, key }: { project: string; key: string }) {
  const failures: string[] = []
  const jobs: string[] = []
  let [requests, broken] = [0, 0]
  const ask = async (route: string, body?: object, headers: Readonly<Record<string, string>> = {}) => {
    const sent = { ...(body && { method: 'POST', body }), headers: { authorization: `Bearer ${key}`, ...headers } }
    // A caller repeats a request whose connection breaks, with the same idempotency key.
    const { status, text } = await send(route, sent).catch(() => {
      broken += 1
      return send(route, sent)
    })
    requests += 1
    if (status >= 300) failures.push(`${route}: ${status} ${text}`)
    return JSON.parse(text)
  }
  // Not parsed with this version's schema, because the previous version may answer.
  const read = async (id: string): Promise<LoadedJob> => ask(`/v2/agent/${project}/job/${id}`)
  /** Creates a job that views the page a few times and then edits it. */
  const create = async (name: string): Promise<string> => {
    const view = { tool: 'view', input: { path: PAGE.path } }
    const edit = { tool: 'edit', input: { path: PAGE.path, old_str: PAGE.marker, new_str: `Text ${name}.` } }
    const turns = [...Array.from({ length: VIEWS }, () => [view]), [edit]]
    const prompt = scriptPrompt(`Edit ${name}`, turns)
    const { id } = await ask(`/v2/agent/${project}/job`, { prompt }, { 'idempotency-key': name })
    jobs.push(id)
    return id
  }
  return {
    failures,
    jobs,
    create,
    read,
    countRequests: () => requests,
    /** Returns the number of requests that were repeated because their connection broke. */
    countBroken: () => broken,
    ended: (id: string) => vi.waitFor(async () => expect((await read(id)).status).not.toBe('active'), WAIT),
    /** Returns the numbers of the pull requests of a job. */
    listPulls: (id: string) =>
      host
        .pulls(REPOSITORY)
        .filter((pull) => pull.headRef === `corrigenda/${id}`)
        .map(({ number }) => number),
  }
}
