import { measureApi } from './measure-api.ts'
import { measureGit } from './measure-git.ts'
import { measureGrowth } from './measure-growth.ts'

/**
 * Compares the product with a baseline in the same run, so that results of different machines can be
 * compared. Times depend on the machine, and ratios hardly do.
 */
const PARTS: Readonly<Record<string, (print: (line: string) => void) => Promise<void>>> = {
  api: measureApi,
  growth: measureGrowth,
  git: measureGit,
}
const names = process.argv.slice(2)
const unknown = names.filter((name) => !Object.hasOwn(PARTS, name))
if (unknown.length > 0) {
  console.error(`Usage: pnpm bench [${Object.keys(PARTS).join('|')}]`)
  process.exit(unknown.includes('--help') ? 0 : 2)
}
for (const [name, measure] of Object.entries(PARTS)) {
  if (names.length > 0 && !names.includes(name)) continue
  console.log(`\n== ${name}`)
  await measure((line) => console.log(line))
}
