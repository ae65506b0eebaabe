// pnpm hostile [repositories [NAME] | tools [COUNT [SEED]] | injections]: builds, then feeds hostile repositories to a worker, hostile calls to the
// agent's tools, and hostile instructions to a model that obeys them all. Without a word: all three. Exit code 1 when anything escaped, broke, or took more memory or time than allowed.
import { spawnSync } from 'node:child_process'

const [what = 'all', ...rest] = process.argv.slice(2)
if (!['all', 'repositories', 'tools', 'injections'].includes(what)) {
  console.error('Usage: pnpm hostile [repositories [NAME] | tools [COUNT [SEED]] | injections]')
  process.exit(2)
}
const build = spawnSync('turbo', ['run', 'build', '--output-logs=errors-only', '--log-prefix=none'], {
  stdio: 'inherit',
})
if (build.status !== 0) process.exit(build.status ?? 1)

let code = 0
if (what === 'all' || what === 'repositories') {
  const { runHostile } = await import('../apps/worker/dist/git-hostile/run-hostile.js')
  const only = what === 'repositories' ? rest[0] : undefined
  code = Math.max(code, await runHostile({ only, print: (line) => console.log(line) }))
}
if (what === 'all' || what === 'tools') {
  const { runToolFuzz } = await import('../apps/worker/dist/injection/run-tool-fuzz.js')
  const [count = 100_000, seed = Math.floor(Math.random() * 2 ** 31)] = what === 'tools' ? rest.map(Number) : []
  const { findings, calls, worked, slowest, slowestMs } = await runToolFuzz({ count, seed })
  console.log(`\n${calls} calls of tools (seed ${seed}), ${worked} did something, ${findings.length} findings`)
  console.log(`the longest held the process for ${Math.round(slowestMs)} ms of CPU: ${slowest}`)
  for (const finding of findings) console.log(`  ! ${finding}`)
  if (findings.length > 0) code = 1
}
if (what === 'all' || what === 'injections') {
  const env = { ...process.env, WHOLE_CORPUS: '1' }
  const tests = spawnSync('vitest', ['run', 'apps/worker/src/injection/injection.test.ts'], { stdio: 'inherit', env })
  code = Math.max(code, tests.status ?? 1)
}
process.exit(code)
