import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { PACKAGES } from './corpus/packages.ts'
import { runLeaks } from './run-leaks.ts'

const USAGE = `Usage: pnpm qa leaks [options]

  --package ID        measure only this package; repeatable
  --cache FOLDER      folder for downloads (default: .cache/leaks)

Packages: ${PACKAGES.map(({ id }) => id).join(', ')}
`

const { values } = parseArgs({
  options: {
    package: { type: 'string', multiple: true },
    cache: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
})
const unknown = (values.package ?? []).filter((id) => !PACKAGES.some((record) => record.id === id))
if (values.help || unknown.length > 0) {
  console.error(unknown.length > 0 ? `Unknown package: ${unknown.join(', ')}\n\n${USAGE}` : USAGE)
  process.exit(values.help ? 0 : 2)
}
const report = await runLeaks({
  records: PACKAGES.filter(({ id }) => values.package === undefined || values.package.includes(id)),
  cache: values.cache ?? fileURLToPath(new URL('../../../.cache/leaks', import.meta.url)),
  print: (line) => console.log(line),
})
process.exitCode = report.open > 0 ? 1 : 0
