export { buildLint } from './build-lint.ts'
export { readProgramFolders } from './config.ts'
export { buildRunProgram } from './run-program.ts'
