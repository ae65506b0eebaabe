import { posix } from 'node:path'

/** True for pages that describe what was true at the time. */
export const isHistory = (path: string): boolean => /change-?log|releases?\b|history|what-?s-new/i.test(path)

/** True for files with instructions for agents, which are not documentation. */
export const isInstruction = (path: string): boolean =>
  /^(?:AGENTS|CLAUDE|GEMINI|CONTRIBUTING)\.md$|^\.cursorrules$/i.test(posix.basename(path)) || path.startsWith('.')

/** True for files in which existing text is not replaced. */
export const isKept = (path: string): boolean => isHistory(path) || isInstruction(path)
