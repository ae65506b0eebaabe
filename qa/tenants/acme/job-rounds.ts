import type { AgentJob } from '@corrigenda/contracts'
import { type AcmeProject, askAsOwner, askUntil, askWithKey, toAgentPath, toDashboardPath } from './acme.ts'
import { buildEdit, buildEnding, buildEndless } from './job-scripts.ts'
import type { Round } from './round.ts'
import { createJob, readJob, toId, waitForEnd, workJob } from './work-job.ts'

const note = (
  project: AcmeProject,
  job: AgentJob,
  input: { word: string; files?: ReadonlyMap<string, string>; title?: string; status?: string; outcome: string },
) => {
  const { word, files = null, title = null, outcome, status = 'completed' } = input
  project.jobs.set(job.id, { id: job.id, word, status, outcome, files, title })
}

/** Page that a round edits. Every round edits its own. */
const PAGE = { edit: 0, followUp: 1, idempotent: 2, stream: 3, mcp: 4 } as const

const edit: Round = {
  name: 'edit',
  async run(project, word) {
    const { prompt, title, files } = buildEdit(word, PAGE.edit)
    const { job, answers } = await workJob(project, { prompt, labels: [word], metadata: { ticket: word } })
    note(project, job, { word, title, files, outcome: 'changed' })
    const newest = await askWithKey(project, { path: `${toAgentPath(project)}/jobs?limit=1&outcome=changed&q=${word}` })
    return { ...answers, newest }
  },
}

const followUp: Round = {
  name: 'follow-up',
  async run(project, word) {
    const first = await workJob(project, { prompt: buildEnding(word, 'needs_input') })
    const { prompt, title, files } = buildEdit(word, PAGE.followUp)
    const path = `${toAgentPath(project)}/job/${first.id}/message`
    const sent = await askWithKey(project, { method: 'POST', path, body: { prompt } })
    await waitForEnd(project, first.id)
    const after = await readJob(project, first.id)
    note(project, first.job, { word, title, files, outcome: 'changed' })
    return { ...first.answers, sent, after }
  },
}

const cancel: Round = {
  name: 'cancel',
  async run(project, word) {
    const created = await createJob(project, { prompt: buildEndless(word) })
    const path = `${toAgentPath(project)}/job/${toId(created)}`
    // Later, the run has no further event before it is cancelled.
    await askUntil(
      () => askAsOwner(project, { path: `${toDashboardPath(project)}/jobs/${toId(created)}/transcript` }),
      ({ json }) => (json as { rows: unknown[] }).rows.length > 0,
    )
    const cancelled = await askWithKey(project, { method: 'POST', path: `${path}/cancel` })
    const again = await askWithKey(project, { method: 'POST', path: `${path}/cancel` })
    note(project, cancelled.json as AgentJob, { word, status: 'failed', outcome: 'cancelled' })
    return { created, cancelled, again, ...(await readJob(project, toId(created))) }
  },
}

const retry: Round = {
  name: 'retry',
  async run(project, word) {
    const first = await workJob(project, { prompt: buildEnding(word, 'impossible') })
    const path = `${toAgentPath(project)}/job/${first.id}`
    const retried = await askWithKey(project, { method: 'POST', path: `${path}/retry` })
    const ended = await waitForEnd(project, toId(retried))
    note(project, ended.json as AgentJob, { word, status: 'failed', outcome: 'failed' })
    const archived = await askWithKey(project, { method: 'POST', path: `${path}/archive` })
    const deleted = await askWithKey(project, { method: 'DELETE', path })
    const gone = await askWithKey(project, { path })
    return { ...first.answers, retried, ended, archived, deleted, gone }
  },
}

const archive: Round = {
  name: 'archive',
  async run(project, word) {
    const { id, job, answers } = await workJob(project, { prompt: buildEnding(word, 'no_change') })
    const archived = await askWithKey(project, { method: 'POST', path: `${toAgentPath(project)}/job/${id}/archive` })
    note(project, job, { word, status: 'archived', outcome: 'no_changes' })
    return { ...answers, archived }
  },
}

const idempotent: Round = {
  name: 'idempotent',
  async run(project, word) {
    const { prompt, title, files } = buildEdit(word, PAGE.idempotent)
    const once = { 'idempotency-key': word }
    const body = { prompt, dedupe: true }
    const created = await createJob(project, body, once)
    const duplicate = await createJob(project, body)
    const repeated = await createJob(project, body, once)
    const mismatch = await createJob(project, { ...body, prompt: 'Another.' }, once)
    const ended = await waitForEnd(project, toId(created))
    note(project, ended.json as AgentJob, { word, title, files, outcome: 'changed' })
    const isSame = created.text === repeated.text
    const isDuplicate = duplicate.status === 409 && duplicate.headers['x-job-id'] === toId(created)
    return { created, repeated, mismatch, ended, isSame, isDuplicate }
  },
}

const search: Round = {
  name: 'search',
  async run(project, word) {
    const { id, job } = await workJob(project, { prompt: buildEnding(word, 'no_change') })
    note(project, job, { word, outcome: 'no_changes' })
    const find = (q: string) =>
      askWithKey(project, { path: `${toAgentPath(project)}/jobs?limit=2&q=${encodeURIComponent(q)}` })
    const shown = await askAsOwner(project, { path: `${toDashboardPath(project)}/jobs?limit=2&q=${word}` })
    const { jobs } = shown.json as { jobs: { id: string }[] }
    return {
      found: await find(word),
      inOtherCase: await find(word.toUpperCase()),
      wildcard: await find(`${word.slice(0, -2)}%`),
      shown: jobs.map((one) => one.id === id),
    }
  },
}

const stream: Round = {
  name: 'stream',
  async run(project, word) {
    const { prompt, title, files } = buildEdit(word, PAGE.stream)
    const created = await createJob(project, { prompt })
    const path = `${toAgentPath(project)}/job/${toId(created)}/events`
    const streamed = await askWithKey(project, { path, headers: { accept: 'text/event-stream' } })
    const ended = await waitForEnd(project, toId(created))
    note(project, ended.json as AgentJob, { word, title, files, outcome: 'changed' })
    const events = await askWithKey(project, { path })
    const data = [...streamed.text.matchAll(/^data: (.*)$/gm)].map(([, line = '']) => JSON.parse(line))
    const isSame = JSON.stringify(data) === JSON.stringify((events.json as { events: unknown[] }).events)
    return { created, events, isSame }
  },
}

const mcp: Round = {
  name: 'mcp',
  async run(project, word) {
    const { prompt, title, files } = buildEdit(word, PAGE.mcp)
    const call = async (name: string, args: object) => {
      const answer = await askWithKey(project, {
        method: 'POST',
        path: '/mcp',
        headers: { accept: 'application/json, text/event-stream' },
        body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } },
      })
      const { result } = answer.json as { result: { isError?: boolean; content: { text: string }[] } }
      return { isError: result.isError ?? false, value: JSON.parse(result.content[0]?.text ?? 'null') }
    }
    const created = await call('create_job', { prompt })
    const id: string = created.value.id
    await waitForEnd(project, id)
    const waited = await call('wait_for_job', { id })
    note(project, waited.value as AgentJob, { word, title, files, outcome: 'changed' })
    return { created, waited, changes: await call('get_changes', { id }), list: await call('list_jobs', { q: word }) }
  },
}

export const JOB_ROUNDS: readonly Round[] = [edit, followUp, cancel, retry, archive, idempotent, search, stream, mcp]
