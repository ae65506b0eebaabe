import type { z } from 'zod'
import { ToolInputs, type ToolName } from './tool-inputs.ts'

/**
 * A call to a known tool, containing only the inputs that have the right type. A model may omit or
 * invent fields.
 */
export type ToolCall = {
  readonly [Name in ToolName]: { readonly name: Name; readonly input: Partial<ToolInputs[Name]> }
}[ToolName]

/**
 * The subject of a call: a path, a search query or an outcome. `target` is the new path of a move,
 * or the new text of a heading. `source` is the name of the source that the call reads.
 */
export interface CallSubject {
  readonly subject: string | null
  readonly target: string | null
  readonly source: string | null
}

/** Converts an untrusted call from a model to its typed form. Returns null for an unknown tool. */
export function findToolCall(call: { readonly name: string; readonly input: unknown }): ToolCall | null {
  if (!Object.hasOwn(ToolInputs, call.name)) return null
  const name = call.name as ToolName
  const input = Object(call.input) as Record<string, unknown>
  const fields = Object.entries<z.ZodType>(ToolInputs[name].shape).flatMap(([field, schema]) => {
    const parsed = schema.safeParse(input[field])
    return parsed.success && parsed.data !== undefined ? [[field, parsed.data]] : []
  })
  return { name, input: Object.fromEntries(fields) } as ToolCall
}

export function toCallSubject(call: ToolCall): CallSubject {
  const { source = null } = call.input as { readonly source?: string }
  return { ...toPlace(call), source }
}

function toPlace(call: ToolCall): Omit<CallSubject, 'source'> {
  switch (call.name) {
    case 'list_files':
      return toSubject(call.input.path ?? call.input.glob)
    case 'search':
      return toSubject(call.input.query)
    case 'view':
    case 'create':
    case 'edit':
    case 'insert':
    case 'delete':
      return toSubject(call.input.path)
    case 'move':
      return { ...toSubject(call.input.path), target: call.input.new_path ?? null }
    case 'rename_heading':
      return { ...toSubject(call.input.path), target: call.input.new_heading ?? null }
    case 'source_changes':
      return toSubject(call.input.path ?? call.input.source)
    case 'check_docs':
      return toSubject(undefined)
    case 'finish':
      return toSubject(call.input.outcome)
  }
}

const toSubject = (subject: string | undefined): Omit<CallSubject, 'source'> => ({
  subject: subject ?? null,
  target: null,
})

/**
 * Formats a subject for display: `path`, `path → new path`, or `source: path`. Returns an empty
 * string if the call has no subject.
 */
export function formatCallSubject({ subject, target, source }: CallSubject): string {
  const place = [subject, target].filter((part) => part !== null).join(' → ')
  return [...new Set([source, place])].filter(Boolean).join(': ')
}
