import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { JOB_OPTION_LIST, type JobOption, type JobOptionKind } from '../packages/contracts/src/index.ts'

const root = path.resolve(import.meta.dirname, '..')

/** Form of an input of the GitHub Action. */
const FORMS: Readonly<Record<JobOptionKind, string | null>> = {
  text: null,
  switch: "true or false; default: the project's setting",
  choice: null,
  list: 'one per line',
  pairs: 'one name=value per line',
  sources: 'one per line',
}

/** How each file lists the options, between `<job options>` and `</job options>`. */
const FILES: Readonly<Record<string, (name: string, option: JobOption) => string>> = {
  'action.yml': (name, option) => `  ${name}:\n    description: ${JSON.stringify(toInputHelp(option))}`,
  'action/main.mjs': (name, { kind }) => `  ${name}: '${kind}',`,
  'docs/cli.md': (_name, option) =>
    `- ${toFlags(option)}: ${option.help}${isRepeatable(option) ? '; can be repeated' : ''}`,
}
const AROUND: Readonly<Record<string, readonly [string, string]>> = {
  'action/main.mjs': ['const JOB_OPTIONS = {\n', '}\n'],
  'docs/cli.md': ['\n', '\n'],
}

test.each(Object.keys(FILES))('%s lists every job option (if not, run "pnpm openapi")', async (file) => {
  const text = readFileSync(path.join(root, file), 'utf8')
  const [before, after] = AROUND[file] ?? ['', '']
  const list = JOB_OPTION_LIST.map(([name, option]) => `${FILES[file]?.(name, option)}\n`).join('')
  const written = text.replace(
    /(<job options>.*\n)[\s\S]*?(.*<\/job options>)/,
    (_all, start, end) => start + before + list + after + end,
  )
  expect(written).toContain('<job options>')
  await expect(written).toMatchFileSnapshot(path.join(root, file))
})

function toInputHelp({ help, kind, choices }: JobOption): string {
  const [, what = '', otherwise] = /^(.*?)(?: \((default: .*)\))?$/.exec(help) ?? []
  const form = choices === undefined ? FORMS[kind] : choices.map(({ value }) => value).join(' or ')
  const notes = [form, otherwise].filter(Boolean).join('; ')
  return `${what.slice(0, 1).toUpperCase()}${what.slice(1)}${notes === '' ? '' : ` (${notes})`}`
}

function toFlags({ flag, noHelp, choices }: JobOption): string {
  const given = choices === undefined ? flag : flag.replace(/<.*>/, choices.map(({ value }) => value).join('|'))
  return noHelp === undefined ? `\`${given}\`` : `\`${given}\` or \`--no-${given.slice(2).split(' ')[0]}\``
}

const isRepeatable = ({ kind }: JobOption): boolean => kind === 'list' || kind === 'pairs' || kind === 'sources'
