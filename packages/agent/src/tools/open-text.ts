import type { Workspace } from '@corrigenda/git/workspace'
import { decodeText, formatBytes, type TextFile } from '@corrigenda/git/workspace'
import { ToolError } from './tool.ts'

/** Reads a file before it is changed. Throws ToolError if it is not UTF-8 text. */
export async function openText(workspace: Workspace, path: string): Promise<TextFile> {
  const bytes = await workspace.read(path)
  const file = decodeText(bytes)
  if (file === 'binary')
    throw new ToolError(`${path} is a binary file (${formatBytes(bytes.length)}) and cannot be edited.`)
  if (file === 'not_utf8') {
    throw new ToolError(`${path} is not encoded in UTF-8. Editing would damage it, so it cannot be edited here.`)
  }
  return file
}

/** Throws ToolError for text that a UTF-8 text file cannot contain. */
export function requireText(text: string, name: string): void {
  if (!text.isWellFormed())
    throw new ToolError(`${name} contains half of a surrogate pair. Send well-formed Unicode text.`)
  if (text.includes('\0')) throw new ToolError(`${name} contains a NUL character. Send plain text.`)
}
