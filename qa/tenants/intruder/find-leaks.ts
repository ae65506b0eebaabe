import type { AcmeProject } from '../acme/acme.ts'
import type { Answer, Ask } from '../stack/send.ts'
import type { ForeignIds } from './foreign-ids.ts'

/** Texts that only the other tenant's data contains. */
const OWN_TEXTS = /quagga|acme\.example|acme\/(?:live|rest)|Acme (?:live|rest)/i
/** Address to which the intruder sends invitations, which its own project lists. */
export const INVITED = 'owner@acme.example'
/** Fields that identify the object that a response is about. */
const ID_FIELDS = new Set(['id', '_id', 'jobId', 'projectId', 'statusId', 'userId', 'runId', 'eventId', 'retryOf'])
const ID = /\b(?:prj|job|run|whe|whd|evt|usr|inv|rpt|msg|dep)_[0-9a-z]{26}\b/g

/** Searches every response for data of the other tenant. */
export interface Leaks {
  /** Returns what a response contains of the other tenant that the intruder has not sent itself. */
  find(ask: Pick<Ask, 'path' | 'body' | 'raw' | 'headers'>, answer: Pick<Answer, 'text' | 'json' | 'headers'>): string[]
}

export function openLeaks(projects: readonly AcmeProject[], foreign: ForeignIds): Leaks {
  // Ids that the intruder has sent in a body, which its own objects may therefore contain.
  const sent = new Set<string>()
  const secrets = () =>
    projects.flatMap(({ key, token, owner, webhooks }) => [
      key,
      token,
      owner.password,
      ...webhooks.flatMap((hook) => hook.secrets),
    ])
  return {
    find(ask, answer) {
      const found: string[] = []
      const body = `${ask.raw?.toString() ?? ''}${ask.body === undefined ? '' : JSON.stringify(ask.body)}${JSON.stringify(ask.headers ?? {})}`
      for (const [id] of body.matchAll(ID)) sent.add(id)
      const request = `${ask.path}${body}`
      const text = `${JSON.stringify(answer.headers)}\n${answer.text}`
      const word = OWN_TEXTS.exec(text.replaceAll(INVITED, ''))?.[0]
      if (word !== undefined && !request.toLowerCase().includes(word.toLowerCase())) found.push(`text "${word}"`)
      for (const secret of secrets()) if (secret !== '' && text.includes(secret)) found.push('a secret')
      const ids = foreign.list()
      for (const [id] of text.matchAll(ID))
        if (ids.has(id) && !sent.has(id) && !request.includes(id)) found.push(`id ${id}`)
      for (const id of listIdFields(answer.json)) if (ids.has(id)) found.push(`object ${id}`)
      return found
    },
  }
}

function listIdFields(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(listIdFields)
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, item]) => {
    // Metadata has the fields that the caller chooses.
    if (name === 'metadata') return []
    return typeof item === 'string' && ID_FIELDS.has(name) ? [item] : listIdFields(item)
  })
}
