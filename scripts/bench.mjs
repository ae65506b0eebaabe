// pnpm bench NAME [options]: builds, then runs one benchmark. Each prints ratios against a baseline that it measures in the same run.
import { spawnSync } from 'node:child_process'

const benches = { git: 'apps/worker/dist/git-bench/git-bench.js', sse: 'scripts/bench-sse.mjs' }
const [name, ...options] = process.argv.slice(2)
const file = benches[name]
if (!file) {
  console.error(`Which benchmark? One of: ${Object.keys(benches).join(', ')}. For example: pnpm bench git --quick`)
  process.exit(2)
}
const run = (command, args) => spawnSync(command, args, { stdio: 'inherit' }).status ?? 1
const built = run('turbo', ['run', 'build', '--output-logs=errors-only'])
process.exit(built === 0 ? run(process.execPath, [file, ...options]) : built)
