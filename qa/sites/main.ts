import { parseArgs } from 'node:util'
import { readSites } from './corpus/read-sites.ts'
import { formatSite } from './format-site.ts'
import { measureSite } from './measure/measure-site.ts'
import { runSites } from './run-sites.ts'

const records = readSites()
const USAGE = `Usage: pnpm qa sites [options]

Sites of the corpus:
  --site ID           measure only this site; repeatable (${records.map(({ id }) => id).join(', ')})

Any other repository:
  --git FOLDER        a bare repository or a clone
  --commit ID         commit to measure (default: HEAD); repeatable, oldest first
  --framework NAME    the repository's framework
  --content FOLDER    a folder with pages; repeatable (default: the whole repository)
  --exclude PATH      a file or folder without pages of the site; repeatable
  --mdx all|none      whether .md pages are MDX, or no page is

Both:
  --quick             2 defects per kind instead of 10, and 5 edits of each kind instead of 20
  --part NAME         tree, recall, moves, deletions, headings or releases; repeatable
  --seed N            seed of all random choices (default: 1)
`

const many = { type: 'string', multiple: true } as const
const { values } = parseArgs({
  options: {
    site: many,
    quick: { type: 'boolean', default: false },
    git: { type: 'string' },
    commit: many,
    framework: { type: 'string', default: 'plain' },
    content: many,
    exclude: many,
    mdx: { type: 'string' },
    seed: { type: 'string', default: '1' },
    part: many,
    help: { type: 'boolean', default: false },
  },
})
const { site: wanted, git, commit = ['HEAD'], framework, content = [''], exclude = [], mdx, part: parts = [] } = values
const unknown = (wanted ?? []).filter((id) => !records.some((record) => record.id === id))
if (values.help || unknown.length > 0) {
  console.error(unknown.length > 0 ? `Unknown site: ${unknown.join(', ')}\n\n${USAGE}` : USAGE)
  process.exit(values.help ? 0 : 2)
}
const [perKind, edits] = values.quick ? [2, 5] : [10, 20]
const common = { perKind, edits, seed: Number(values.seed), parts }

if (git === undefined) {
  const report = await runSites({
    ...common,
    records: records.filter(({ id }) => wanted === undefined || wanted.includes(id)),
    print: (line) => console.log(line),
  })
  process.exitCode = Object.keys(report.failures).length > 0 ? 1 : 0
} else {
  const layout = { framework, content, exclude, hasMdxMarkdown: mdx === 'all', hasNoMdx: mdx === 'none' }
  console.log(
    formatSite(await measureSite({ ...common, id: git, folder: git, commits: commit, isPartial: true, layout })),
  )
}
