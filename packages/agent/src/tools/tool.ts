import type Anthropic from '@anthropic-ai/sdk'
import { ToolInputs, type ToolName } from '@corrigenda/contracts'
import type { Workspace } from '@corrigenda/git/workspace'
import type { CheckDocs } from '@corrigenda/site/checks'
import type { PageReader } from '@corrigenda/site/thread'
import { z } from 'zod'
import type { PathPolicy } from '../policy/path-policy.ts'
import type { AgentSource } from '../sources/agent-source.ts'
import type { WholeChange } from './find-source-leaks.ts'
import type { FinishState } from './finish-state.ts'
import type { SourceReads } from './source-reads.ts'

/** An error that the model can correct. The message states the problem and what to do instead. */
export class ToolError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'ToolError'
  }
}

export interface ToolContext {
  /** The files that the agent may read. */
  readonly workspace: Workspace
  /** All files of the repository, for verification only. */
  readonly repository: Workspace
  /** The change of the whole pull request. */
  readonly whole: WholeChange
  /** Repositories that the agent may read, without the files that it may not read. */
  readonly sources: readonly AgentSource[]
  /** What this run has read of the sources. */
  readonly reads: SourceReads
  readonly checkDocs: CheckDocs
  /** Reads pages in the thread of the checks, and shares their results. */
  readonly pages: PageReader
  readonly policy: PathPolicy
  readonly knownSecrets: readonly string[]
  /** Results of earlier `finish` calls in this run. */
  readonly finish: FinishState
  /** True on the wrap-up turn, when no further turn can confirm the result. */
  readonly lastTurn: boolean
}

/**
 * `read` tools change nothing and may run in parallel. `write` tools run sequentially. `finish`
 * runs last.
 */
export type ToolKind = 'read' | 'write' | 'finish'

export interface Tool {
  readonly name: string
  readonly description: string
  readonly kind: ToolKind
  readonly schema: z.ZodObject
  /** Parses the input and runs the tool. Throws ToolError, MoveError, WorkspaceError or ZodError. */
  call(context: ToolContext, input: unknown): Promise<string>
}

interface ToolDefinition<Name extends ToolName> {
  readonly name: Name
  readonly description: string
  readonly kind: ToolKind
  run(context: ToolContext, input: ToolInputs[Name]): Promise<string>
}

/** Defines a tool from the contract. Its name determines its input schema. */
export function defineTool<Name extends ToolName>({ run, ...definition }: ToolDefinition<Name>): Tool {
  const schema: z.ZodObject = ToolInputs[definition.name]
  return {
    ...definition,
    schema,
    call: async (context, input) => run(context, schema.parse(dropNulls(input)) as ToolInputs[Name]),
  }
}

/**
 * Keywords that strict tool schemas do not support. The tools check these constraints themselves.
 */
const UNSUPPORTED = new Set([
  '$schema',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'uniqueItems',
  'pattern',
  'format',
  'default',
])

/**
 * Converts a tool to the Messages API format. Additional properties are rejected, and
 * keywords that a strict schema does not support are removed.
 */
export function toApiTool(tool: Tool, strict: boolean): Anthropic.Tool {
  const schema = z.toJSONSchema(tool.schema, { io: 'input' })
  const input_schema = { type: 'object' as const, ...prune(schema), additionalProperties: false }
  return { name: tool.name, description: tool.description, input_schema, ...(strict ? { strict } : {}) }
}

function prune(schema: object): Record<string, unknown> {
  const entries = Object.entries(schema).filter(([key]) => !UNSUPPORTED.has(key))
  return Object.fromEntries(
    entries.map(([key, value]) => {
      if (key === 'properties') {
        return [key, Object.fromEntries(Object.entries(value).map(([name, child]) => [name, prune(Object(child))]))]
      }
      return [key, key === 'items' ? prune(value) : value]
    }),
  )
}

/** Removes null values, because models send null for optional inputs that they omit. */
function dropNulls(input: unknown): unknown {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return input
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== null))
}
