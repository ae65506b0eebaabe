/** Entry point for benchmarks outside the workspace. The workspace imports the folders instead. */
export { openDatabase } from './db/index.ts'
