export { countChangedLines, diffLines, type Hunk } from './diff-lines.ts'
export { formatDiff, formatDiffStat, readLines } from './format-diff.ts'
export { checkPath } from './path-rules.ts'
export { readAllText } from './read-all-text.ts'
export {
  decodeText,
  encodeText,
  formatBytes,
  type Splice,
  spliceText,
  type TextFile,
  toLf,
  toLineNumber,
  toLines,
} from './text-file.ts'
export { type Workspace, type WorkspaceChange, type WorkspaceEntry, WorkspaceError } from './workspace.ts'
