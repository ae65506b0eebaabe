import { PLANTED_MISTAKES } from '../../samples/planted-mistakes.ts'
import { readSampleCode } from '../../samples/read-sample-code.ts'
import { readSampleDocs } from '../../samples/read-sample-docs.ts'
import type { HarnessOptions } from './open-tool-harness.ts'
import { type Rehearsal, rehearse } from './rehearse.ts'

/** The demo's documentation, with the planted mistakes. */
export const docs = Object.fromEntries([...readSampleDocs({ mistakes: true })].map(([path, { data }]) => [path, data]))

const commits = readSampleCode(new Date())

/** The newest files of the demo's code. */
export const tidewater: Readonly<Record<string, string>> = readNewest()

function readNewest(): Record<string, string> {
  const files: Record<string, string> = {}
  for (const commit of commits) {
    for (const [path, file] of commit.files) {
      if (file === null) delete files[path]
      else files[path] = file.data
    }
  }
  return files
}

/** The output of source_changes. */
const changes = [
  `${commits.length - 1} commits since 0123456789ab, newest first:`,
  ...commits
    .slice(1)
    .reverse()
    .map(({ message }, index) => `${String(index).repeat(12)} ${message}`),
  'Changed files:',
  'modified internal/cli/logs.go',
].join('\n')

/** The output of check_docs: the planted links. */
const checkOutput = PLANTED_MISTAKES.filter(({ kind }) => kind === 'link')
  .map(({ path, wrong }) => `${path}:9: [links] The link "${wrong.slice(1, -1)}" points to a page that does not exist.`)
  .join('\n')

/** Runs the rehearsal model on a prompt with the sample repositories. */
export const rehearseSample = (prompt: string, options: HarnessOptions = {}, files = docs): Rehearsal =>
  rehearse(prompt, files, { sources: { tidewater }, changes, checkOutput, ...options })

/** Paths of the files that a rehearsal changed, created or deleted. */
export function listChanged({ harness }: Rehearsal): string[] {
  const paths = new Set([...Object.keys(docs), ...harness.files.keys()])
  return [...paths].filter((path) => docs[path] !== harness.files.get(path)).sort()
}
