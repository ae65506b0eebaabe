import { parseArgs } from 'node:util'
import { openCheckThread } from '@corrigenda/site/thread'
import { checkHistory } from './check-history.ts'
import { findCodeHistory } from './find-code-history.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { commits: { type: 'string', default: '100' }, code: { type: 'boolean', default: false } },
})
const [source] = positionals
const commits = Number(values.commits)
if (source === undefined || !Number.isInteger(commits) || commits < 1) {
  console.error('Usage: pnpm qa check-history PATH-OR-URL [--commits N] [--code]')
  process.exit(2)
}
if (values.code) {
  const { checked, refused, flagged, kinds } = await findCodeHistory({
    source,
    commits,
    print: (line) => console.log(line),
  })
  console.log(`\ncommits of documentation: ${checked}, with flags: ${flagged}, with executable content: ${refused}`)
  for (const [kind, count] of Object.entries(kinds)) console.log(`  ${kind}: ${count}`)
  process.exit(0)
}
const thread = openCheckThread({ onLoss: (reason) => console.log(`  a page was skipped: ${reason}`) })
try {
  const report = await checkHistory({ source, commits, runner: thread, print: (line) => console.log(line) })
  const { checked, failed, blocked, flagged, cpuMs, missing, baseline } = report
  console.log(`\ncommits checked: ${checked}, with new issues: ${flagged}`)
  console.log(`with new blocking issues: ${blocked}, with issues that fail a job: ${failed}`)
  console.log(`median CPU time per commit with cached pages: ${cpuMs} ms`)
  if (missing > 0) console.log(`files that the clone lacks, read as empty: ${missing}`)
  console.log('\nIssues in the newest commit:')
  for (const { name, status, preexisting, findings, note } of baseline) {
    const summary = status === 'skipped' ? `${findings.length} not checked` : `${preexisting} found`
    console.log(`  ${name}: ${summary}${note === undefined ? '' : ` — ${note}`}`)
    for (const { file, line, message } of findings.slice(0, 10))
      console.log(`      ${file}${line === null ? '' : `:${line}`}: ${message}`)
  }
} finally {
  await thread.close()
}
