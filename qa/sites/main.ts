import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { SITES } from './corpus/sites.ts'
import { measureSite } from './measure/measure-site.ts'
import { formatSite } from './report/format-site.ts'
import { formatSummary } from './report/format-summary.ts'
import { runSites } from './run-sites.ts'

const USAGE = `Usage: pnpm qa sites [options]

Sites of the corpus:
  --site ID           measure only this site; repeatable (${SITES.map(({ id }) => id).join(', ')})
  --quick             2 defects per kind and 5 edits of each kind
  --cache FOLDER      folder for downloads (default: .cache/sites)

Any other repository:
  --git FOLDER        a bare repository or a clone
  --commit ID         commit to measure (default: HEAD); repeatable, oldest first
  --framework NAME    the repository's framework
  --content FOLDER    a folder with pages; repeatable (default: the whole repository)
  --exclude PATH      a file or folder without pages of the site; repeatable
  --mdx all|none      whether .md pages are MDX, or no page is

Both:
  --part NAME         tree, recall, moves, deletions, headings or releases; repeatable
  --per-kind N        defects per kind (default: 10)
  --edits N           moves, deletions and heading renames (default: 20 each)
  --seed N            seed of all random choices (default: 1)
  --json FILE         also write the results as JSON
`

const { values } = parseArgs({
  options: {
    site: { type: 'string', multiple: true },
    quick: { type: 'boolean', default: false },
    cache: { type: 'string' },
    git: { type: 'string' },
    commit: { type: 'string', multiple: true },
    framework: { type: 'string', default: 'plain' },
    content: { type: 'string', multiple: true },
    exclude: { type: 'string', multiple: true },
    mdx: { type: 'string' },
    'per-kind': { type: 'string' },
    edits: { type: 'string' },
    seed: { type: 'string', default: '1' },
    part: { type: 'string', multiple: true },
    json: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
})
const unknown = (values.site ?? []).filter((id) => !SITES.some((record) => record.id === id))
if (values.help || unknown.length > 0) {
  console.error(unknown.length > 0 ? `Unknown site: ${unknown.join(', ')}\n\n${USAGE}` : USAGE)
  process.exit(values.help ? 0 : 2)
}
const common = {
  perKind: Number(values['per-kind'] ?? (values.quick ? 2 : 10)),
  edits: Number(values.edits ?? (values.quick ? 5 : 20)),
  seed: Number(values.seed),
  parts: values.part ?? [],
}
const write = (results: unknown) => {
  if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(results, null, 1)}\n`)
}

if (values.git !== undefined) {
  const report = await measureSite({
    ...common,
    id: values.git,
    folder: values.git,
    commits: values.commit ?? ['HEAD'],
    isPartial: true,
    layout: {
      framework: values.framework,
      content: values.content ?? [''],
      ...(values.exclude === undefined ? {} : { exclude: values.exclude }),
      hasMdxMarkdown: values.mdx === 'all',
      hasNoMdx: values.mdx === 'none',
    },
  })
  console.log(formatSite(report))
  write(report)
} else {
  const report = await runSites({
    ...common,
    records: SITES.filter(({ id }) => values.site === undefined || values.site.includes(id)),
    cache: values.cache ?? fileURLToPath(new URL('../../../.cache/sites', import.meta.url)),
    print: (line) => console.log(line),
  })
  console.log(formatSummary(report.sites))
  write(report)
  process.exitCode = Object.keys(report.failures).length > 0 ? 1 : 0
}
