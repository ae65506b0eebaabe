import { runMutation } from './run-mutation.ts'
import { TARGETS } from './targets.ts'

const wanted = process.argv.slice(2)
const unknown = wanted.filter((file) => !TARGETS.some((target) => target.file === file))
if (unknown.length > 0) {
  console.error(
    `Unknown target: ${unknown.join(', ')}. Use one of:\n${TARGETS.map(({ file }) => `  ${file}`).join('\n')}`,
  )
  process.exit(2)
}
const targets = wanted.length === 0 ? TARGETS : TARGETS.filter(({ file }) => wanted.includes(file))
process.exitCode = await runMutation(targets, (line) => console.log(line))
