export type { AgentSource, SourceCommit, SourceFile, SourceRange, SourceReader } from './agent-source.ts'
export { restrictSource } from './restrict-source.ts'
