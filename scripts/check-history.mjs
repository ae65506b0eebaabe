// pnpm check:history PATH-OR-URL [--commits N]: builds, then holds the newest commits of a clone against the checks of documentation and prints what
// each would have been told. Reads only; nothing of the repository is run. Exit code 0 whatever is found.
import { spawnSync } from 'node:child_process'
import { parseArgs } from 'node:util'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { commits: { type: 'string', default: '100' }, 'no-build': { type: 'boolean', default: false } },
})
const [source] = positionals
const commits = Number(values.commits)
if (source === undefined || !Number.isInteger(commits) || commits < 1) {
  console.error('Usage: pnpm check:history PATH-OR-URL [--commits N]')
  process.exit(2)
}
if (!values['no-build']) {
  const build = spawnSync('turbo', ['run', 'build', '--output-logs=errors-only', '--log-prefix=none'], {
    stdio: 'inherit',
  })
  if (build.status !== 0) process.exit(build.status ?? 1)
}

const { checkHistory } = await import('../apps/worker/dist/check-history/check-history.js')
const { openCheckThread } = await import('../apps/worker/dist/checks/thread/open-check-thread.js')
const thread = openCheckThread({ onLoss: (reason) => console.log(`  a page was given up: ${reason}`) })
try {
  const report = await checkHistory({ source, commits, runner: thread, print: (line) => console.log(line) })
  console.log(
    `\n${report.checked} commits checked: ${report.blocked} introduce what would be refused, ${report.flagged} introduce anything`,
  )
  console.log(`median CPU per commit, pages known: ${report.cpuMs} ms`)
  console.log('\nThe newest commit itself:')
  for (const { name, status, preexisting, findings, note } of report.baseline) {
    console.log(
      `  ${name}: ${status === 'skipped' ? `${findings.length} not checked` : `${preexisting} findings`}${note === undefined ? '' : ` — ${note}`}`,
    )
    for (const { file, line, message } of findings.slice(0, 10))
      console.log(`      ${file}${line === null ? '' : `:${line}`}: ${message}`)
  }
} finally {
  await thread.close()
}
