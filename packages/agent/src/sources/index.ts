export type { AgentSource, SourceCommit, SourceFile, SourceRange, SourceReader } from './agent-source.ts'
export { restrictSource } from './agent-source.ts'
