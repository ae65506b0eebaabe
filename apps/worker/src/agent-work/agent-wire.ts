import { ModelError } from '@corrigenda/agent/model'
import type { AgentSource, SourceRange } from '@corrigenda/agent/sources'
import { type Workspace, WorkspaceError } from '@corrigenda/git/workspace'
import type { AgentHost, AgentTask, AgentWork } from './do-agent-work.ts'

/** A source without its files, which the thread reads through calls. */
type SourceFacts = Omit<AgentSource, 'workspace' | 'recentChanges'>

/** Messages to the thread: a task, or the answer to a call. */
export type ToThread =
  | {
      readonly kind: 'task'
      readonly task: AgentTask
      readonly sources: readonly SourceFacts[]
      readonly hasWhole: boolean
    }
  | { readonly kind: 'answer'; readonly id: number; readonly value: unknown }
  | { readonly kind: 'refusal'; readonly id: number; readonly error: WireError }

/** Messages from the thread: a call of a function of the host, or the end of the task. */
export type FromThread =
  | { readonly kind: 'call'; readonly id: number; readonly name: string; readonly args: readonly unknown[] }
  | { readonly kind: 'done'; readonly work: AgentWork }
  | { readonly kind: 'failed'; readonly error: WireError }

/** An error as plain data. `id` identifies an error that a call of the host has thrown. */
interface WireError {
  readonly id: number | null
  readonly name: string
  readonly message: string
  readonly stack: string | undefined
  readonly fields: Readonly<Record<string, unknown>>
}

/** Errors whose class the agent's code examines. */
const CLASSES: readonly (new (...args: never[]) => Error)[] = [WorkspaceError, ModelError]

export function toWireError(error: unknown, id: number | null): WireError {
  const { name, message, stack } = error instanceof Error ? error : new Error(String(error))
  const isKnown = CLASSES.some((known) => error instanceof known)
  return { id, name, message, stack, fields: isKnown ? { ...Object(error) } : {} }
}

export function fromWireError({ name, message, stack, fields }: WireError): Error {
  const known = CLASSES.find((one) => one.name === name)
  const error: Error = known === undefined ? new Error(message) : Object.create(known.prototype)
  return Object.assign(error, fields, { name, message, stack })
}

const READS = ['list', 'find', 'read'] as const
const WORKSPACE = [...READS, 'listBase', 'readBase', 'write', 'remove', 'move', 'changes'] as const
const WHOLE = ['listBase', 'readBase', 'changes'] as const
const HOST = ['append', 'listMessages', 'describeSpentBudget', 'log', 'toolStarted', 'toolEnded'] as const

/** Functions that the thread can call, by name. */
export type HostCalls = Map<string, (...args: never[]) => Promise<unknown>>

export function listCalls(host: AgentHost, signal: AbortSignal): HostCalls {
  const calls: HostCalls = new Map()
  for (const name of HOST) calls.set(name, host[name])
  for (const name of WHOLE) if (host.whole !== null) calls.set(`whole.${name}`, host.whole[name])
  for (const name of WORKSPACE) calls.set(`workspace.${name}`, host.workspace[name])
  calls.set('callModel', (request: Parameters<AgentHost['callModel']>[0], timeoutMs?: number) =>
    host.callModel(request, timeoutMs === undefined ? { signal } : { signal, timeoutMs }),
  )
  for (const [index, source] of host.sources.entries()) {
    const openBase = async () => {
      const range = await source.recentChanges()
      if (range === null) throw new Error('the source has no earlier commit')
      return await range.openBase()
    }
    for (const name of READS) {
      calls.set(`source.${index}.${name}`, source.workspace[name])
      calls.set(`base.${index}.${name}`, async (path: string) => (await openBase())[name](path))
    }
    calls.set(`changes.${index}`, async () => {
      const range = await source.recentChanges()
      return range === null ? null : { ...range, openBase: null }
    })
  }
  return calls
}

export const toSourceFacts = ({ workspace, recentChanges, ...facts }: AgentSource): SourceFacts => facts

/** Calls a function of the host by its name. */
type CallHost = (name: string, ...args: readonly unknown[]) => Promise<never>

/**
 * Returns the host as the thread sees it.
 * @param onFile called with the path of each file whose bytes the work is about to read
 */
export function buildRemoteHost(
  call: CallHost,
  { sources, hasWhole }: Pick<Extract<ToThread, { kind: 'task' }>, 'sources' | 'hasWhole'>,
  onFile: (path: string) => void,
): AgentHost {
  const host = Object.fromEntries(HOST.map((name) => [name, (...args: readonly unknown[]) => call(name, ...args)]))
  return {
    ...(host as unknown as Pick<AgentHost, (typeof HOST)[number]>),
    callModel: (request, { timeoutMs }) => call('callModel', request, timeoutMs),
    workspace: buildRemoteWorkspace(call, 'workspace', onFile),
    // Of these workspaces, only the functions in `WHOLE` and `READS` are called.
    whole: hasWhole ? buildRemoteWorkspace(call, 'whole', onFile) : null,
    sources: sources.map((facts, index) => ({
      ...facts,
      workspace: buildRemoteWorkspace(call, `source.${index}`, onFile),
      async recentChanges() {
        const range = (await call(`changes.${index}`)) as Omit<SourceRange, 'openBase'> | null
        const base = buildRemoteWorkspace(call, `base.${index}`, onFile)
        return range === null ? null : { ...range, openBase: async () => base }
      },
    })),
  }
}

function buildRemoteWorkspace(call: CallHost, of: string, onFile: (path: string) => void): Workspace {
  // Kept between edits, because callers key their own results by the listing.
  let listed: ReturnType<Workspace['list']> | null = null
  let listedBase: ReturnType<Workspace['listBase']> | null = null
  const edit = async (name: string, ...args: readonly unknown[]): Promise<void> => {
    listed = null
    await call(`${of}.${name}`, ...args)
    listed = null
  }
  return {
    list() {
      listed ??= call(`${of}.list`)
      return listed
    },
    listBase() {
      listedBase ??= call(`${of}.listBase`)
      return listedBase
    },
    find: (path) => call(`${of}.find`, path),
    async read(path) {
      const bytes: Uint8Array = await call(`${of}.read`, path)
      onFile(path)
      return bytes
    },
    async readBase(path) {
      const bytes: Uint8Array | null = await call(`${of}.readBase`, path)
      onFile(path)
      return bytes
    },
    write: (path, bytes) => edit('write', path, bytes),
    remove: (path) => edit('remove', path),
    move: (path, newPath) => edit('move', path, newPath),
    async changes() {
      const changes: Awaited<ReturnType<Workspace['changes']>> = await call(`${of}.changes`)
      return changes.map(({ path, kind, before, after }) => ({
        path,
        kind,
        get before() {
          onFile(path)
          return before
        },
        get after() {
          onFile(path)
          return after
        },
      }))
    },
  }
}

/**
 * Copies the bytes in a value. Otherwise, a message would contain the whole buffer of which they are
 * a part, such as a pack.
 */
export function copyBytes(value: unknown): unknown {
  if (value instanceof Uint8Array) return Uint8Array.from(value)
  if (!Array.isArray(value) || !value.some(isChange)) return value
  return value.map((change) => ({ ...change, before: copyBytes(change.before), after: copyBytes(change.after) }))
}

const isChange = (value: unknown): boolean =>
  Object(value).after instanceof Uint8Array || Object(value).before instanceof Uint8Array
