import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { measureSite } from './measure/measure-site.ts'
import { formatSite } from './report/format-site.ts'

const { values } = parseArgs({
  options: {
    git: { type: 'string' },
    commit: { type: 'string', default: 'HEAD' },
    framework: { type: 'string', default: 'plain' },
    content: { type: 'string', multiple: true },
    exclude: { type: 'string', multiple: true },
    mdx: { type: 'string' },
    'per-kind': { type: 'string', default: '10' },
    edits: { type: 'string', default: '20' },
    seed: { type: 'string', default: '1' },
    part: { type: 'string', multiple: true },
    json: { type: 'string' },
  },
})
if (values.git === undefined) process.exit(2)
const report = await measureSite({
  id: values.git,
  folder: values.git,
  commit: values.commit,
  layout: {
    framework: values.framework,
    content: values.content ?? [''],
    ...(values.exclude === undefined ? {} : { exclude: values.exclude }),
    hasMdxMarkdown: values.mdx === 'all',
    hasNoMdx: values.mdx === 'none',
  },
  perKind: Number(values['per-kind']),
  edits: Number(values.edits),
  seed: Number(values.seed),
  parts: values.part ?? [],
})
console.log(formatSite(report))
if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(report, null, 1)}\n`)
