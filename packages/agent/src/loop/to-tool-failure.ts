import { WorkspaceError } from '@corrigenda/git/workspace'
import { ZodError } from 'zod'
import { ToolError } from '../tools/tool.ts'

/**
 * Returns the message of a failed call for the model. Only errors created for the model are quoted.
 * Other errors may contain stack traces or paths of the machine.
 */
export function toToolFailure(error: unknown, toolName: string): string {
  if (error instanceof ToolError || error instanceof WorkspaceError) return error.message
  if (error instanceof ZodError) {
    const issues = error.issues.slice(0, 5).map((issue) => {
      const at = issue.path.map(String).join('.')
      return at === '' ? issue.message : `${at}: ${issue.message}`
    })
    return `${toolName} was called with invalid input and did nothing. ${issues.join('; ')}. Correct the input and send the call again.`
  }
  return `${toolName} failed inside the service and changed nothing. Try another way, or finish with the current edits.`
}

/** Returns true if the error was created for the model. Other errors belong in the log. */
export function isTeaching(error: unknown): boolean {
  return error instanceof ToolError || error instanceof WorkspaceError || error instanceof ZodError
}
