import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { PACKAGES } from './corpus/packages.ts'
import { measureGuard } from './measure/measure-guard.ts'
import { formatGuard } from './report/format-guard.ts'
import { runLeaks } from './run-leaks.ts'

const USAGE = `Usage: pnpm qa leaks [options]

  --package ID        measure only this package; repeatable
  --bench             measure the time and the memory of the guard instead
  --cache FOLDER      folder for downloads (default: .cache/leaks)

Packages: ${PACKAGES.map(({ id }) => id).join(', ')}
`

const LOADS = [
  { files: 20_000, bytesPerFile: 5_000, addedBytes: 16 * 1024 },
  { files: 20_000, bytesPerFile: 13_000, addedBytes: 16 * 1024 },
  { files: 20_000, bytesPerFile: 13_000, addedBytes: 1024 * 1024 },
]

const { values } = parseArgs({
  options: {
    package: { type: 'string', multiple: true },
    bench: { type: 'boolean', default: false },
    cache: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
})
const unknown = (values.package ?? []).filter((id) => !PACKAGES.some((record) => record.id === id))
if (values.help || unknown.length > 0) {
  console.error(unknown.length > 0 ? `Unknown package: ${unknown.join(', ')}\n\n${USAGE}` : USAGE)
  process.exit(values.help ? 0 : 2)
}
if (values.bench) {
  for (const load of LOADS) {
    const measured = await measureGuard(load)
    console.log(`${load.addedBytes / 1024} KiB added: ${formatGuard(measured)}`)
    if (measured.leaks !== 1) throw new Error(`The guard found ${measured.leaks} leaks instead of one.`)
  }
  process.exit(0)
}
const report = await runLeaks({
  records: PACKAGES.filter(({ id }) => values.package === undefined || values.package.includes(id)),
  cache: values.cache ?? fileURLToPath(new URL('../../../.cache/leaks', import.meta.url)),
  print: (line) => console.log(line),
})
process.exitCode = report.open > 0 ? 1 : 0
