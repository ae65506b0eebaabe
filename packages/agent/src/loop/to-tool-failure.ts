import { WorkspaceError } from '@corrigenda/git/workspace'
import { MoveError } from '@corrigenda/site/move'
import { ZodError } from 'zod'
import { ToolError } from '../tools/tool.ts'

/**
 * Returns the message that the model receives for a failed call. Only errors written for the model
 * are quoted. Other errors may contain stack traces or local paths.
 */
export function toToolFailure(error: unknown, toolName: string): string {
  if (error instanceof ToolError || error instanceof WorkspaceError || error instanceof MoveError) return error.message
  if (error instanceof ZodError) {
    const issues = error.issues.slice(0, 5).map((issue) => {
      const at = issue.path.map(String).join('.')
      return at === '' ? issue.message : `${at}: ${issue.message}`
    })
    return `${toolName} was called with invalid input and did nothing. ${issues.join('; ')}. Correct the input and send the call again.`
  }
  return `${toolName} failed because of an internal error. Nothing was changed. Try something else, or finish with the current edits.`
}

/** Returns true if the error was written for the model. Other errors are only logged. */
export function isTeaching(error: unknown): boolean {
  return [ToolError, WorkspaceError, MoveError, ZodError].some((kind) => error instanceof kind)
}
