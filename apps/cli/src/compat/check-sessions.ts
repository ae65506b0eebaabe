import {
  askServer,
  type CompatCheck,
  type CompatInput,
  type CompatTarget,
  expectAnswer,
  Mismatch,
  Skipped,
} from './ask-server.ts'
import { HostedError, HostedSession, HostedSessionList } from './wire.ts'

const toPath = ({ projectId }: CompatTarget, rest: string) => `/v1/agent/${projectId}/${rest}`
const create = (input: CompatInput, body: unknown, key?: string | null) => {
  const path = toPath(input, 'job')
  return askServer(input, { method: 'POST', path, body, limitMs: input.jobMs, ...(key === undefined ? {} : { key }) })
}

/** Checks for the deprecated job endpoints of version 1. */
export const SESSION_CHECKS: readonly CompatCheck[] = [
  {
    name: 'messages return 200 and a stream of JSON chunks that ends with the session, which is then readable and listed first',
    async run(input) {
      const messages = [
        { role: 'system', content: 'Never ask questions.' },
        { role: 'user', content: input.prompt },
      ]
      const response = await create(input, { messages, branch: `compat-${Date.now()}`, asDraft: false })
      if (response.status === 404) throw new Skipped('the server does not have version 1')
      const { status, type, text, headers } = response
      if (status !== 200) throw new Mismatch(`returned status ${status} instead of 200: ${text.slice(0, 300)}`)
      if (!/^text\/event-stream\b/i.test(type)) throw new Mismatch(`returned "${type}" instead of an event stream`)
      const id = headers.get('x-session-id')
      if (!id) throw new Mismatch('the header X-Session-Id is missing')
      if (!headers.get('x-branch-name')) throw new Mismatch('the header X-Branch-Name is missing')
      assertChunks(text)
      const read = await askServer(input, { method: 'GET', path: toPath(input, `job/${id}`) })
      const session = expectAnswer(read, 200, HostedSession)
      if (session.sessionId !== id) throw new Mismatch(`the response for session ${id} contains ${session.sessionId}`)
      if (!session.haulted) throw new Mismatch('the stream ended before the session did')
      const list = await askServer(input, { method: 'GET', path: toPath(input, 'jobs?skip=0&take=1') })
      const { allSessions } = expectAnswer(list, 200, HostedSessionList)
      if (allSessions.map(({ sessionId }) => sessionId).join() !== id) {
        throw new Mismatch('the first page of one session does not contain the newest session')
      }
    },
  },
  {
    name: 'a request of version 1 without messages returns 400, without a key 401, and for an unknown session 404',
    async run(input) {
      const empty = await create(input, {})
      if (empty.status === 404) throw new Skipped('the server does not have version 1')
      expectAnswer(empty, 400, HostedError)
      expectAnswer(await create(input, { messages: [{ role: 'user', content: input.prompt }] }, null), 401, HostedError)
      const unknown = await askServer(input, { method: 'GET', path: toPath(input, 'job/no-such-job') })
      expectAnswer(unknown, 404, HostedError)
    },
  },
]

/** @throws Mismatch unless each event contains a JSON object, and the last one `[DONE]` */
function assertChunks(text: string): void {
  const events = text.split('\n').flatMap((line) => (line.startsWith('data:') ? [line.slice(5).trim()] : []))
  if (events.pop() !== '[DONE]') throw new Mismatch('the stream does not end with [DONE]')
  const types = events.map((event) => {
    try {
      return (JSON.parse(event) as { type?: unknown }).type
    } catch {
      throw new Mismatch(`a chunk is not JSON: ${event.slice(0, 200)}`)
    }
  })
  if (types[0] !== 'start') throw new Mismatch('the stream does not begin with a start chunk')
  if (types.at(-1) !== 'finish') throw new Mismatch('the stream has no finish chunk at its end')
}
