import { runHostile } from './run-hostile.ts'

process.exitCode = await runHostile({ only: process.argv[2], print: (line) => console.log(line) })
