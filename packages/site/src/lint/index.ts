export { buildLint } from './build-lint.ts'
export { readProgramFolders } from './config.ts'
export { buildRunProgram, type RunProgram } from './run-program.ts'
