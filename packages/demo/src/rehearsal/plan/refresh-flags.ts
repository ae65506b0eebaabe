import { posix } from 'node:path'
import { addFlagRow, findFlagTable, toCells, toDefault } from './add-flag-row.ts'
import type { FlagDefinition } from './find-flag-definitions.ts'
import { findPage } from './find-page.ts'
import { fixLines, type LineFix } from './fix-lines.ts'
import { listPages, type PageInfo } from './list-pages.ts'
import { listSourceFlags } from './list-source-flags.ts'
import { toSlug } from './page-path.ts'
import type { Ending, Evidence, Plan } from './plan.ts'
import type { JobFacts } from './rule.ts'
import { runCheck } from './run-check.ts'
import { type ViewedFile, viewFiles } from './view-files.ts'
import { toBody, toFailures, toList, toTitle } from './words.ts'

/** Compares pages of commands with the flags in the code: one page or flag, or all of them. */
export function* refreshFlags(
  { flag, phrase }: { flag: string | null; phrase: string | null },
  { sources }: JobFacts,
): Plan<Ending> {
  if (sources.length === 0)
    return {
      outcome: 'needs_input',
      reason: 'Which facts changed? The project has no source with the code. Add one in the project settings.',
    }
  const found = phrase === null ? null : yield* findPage(phrase)
  if (found && 'question' in found) return { outcome: 'needs_input', reason: found.question }
  const pages = found ? [found.page] : yield* listPages()
  const all = (yield* listSourceFlags(sources)).filter((one) => flag === null || one.flag === flag)
  const named = all.flatMap((definition) => toNamed(definition, pages))
  const files = (yield* viewFiles([...new Set(named.map(({ page }) => page.path))])).filter((file) => file !== null)
  const outdated = named.flatMap((one) => findOutdated(one, files))
  const missing = named.filter((one) => isMissing(one, files))
  if (outdated.length + missing.length === 0) {
    const what = found ? `\`${found.page.path}\`` : flag ? `The documentation of --${flag}` : 'The tables of flags'
    return named.length === 0 && found
      ? {
          outcome: 'needs_input',
          reason: `What is out of date in ${what}? The sources define no flags for this page, so there is nothing to compare.`,
        }
      : { outcome: 'no_change', reason: `${what} ${found || flag ? 'agrees' : 'agree'} with the code.` }
  }
  const fixed = yield* fixLines('Step: correcting defaults.', files, outdated)
  for (const { definition } of missing) yield* addFlagRow(definition)
  const rows = [
    ...outdated.map(({ note }) => note),
    ...missing.map(({ definition, page }) => `\`${page.path}\`: added \`--${definition.flag}\``),
  ]
  const checked = yield* runCheck()
  const changed = [...outdated, ...missing]
  return {
    outcome: 'changed',
    title: toTitle(
      outdated.length === 0
        ? 'Document missing flags'
        : `Update ${[...new Set(outdated.map(({ path }) => toSlug(path)))].join(', ')} from the code`,
    ),
    body: toBody(['Compared the tables of flags with the code:', toList(rows), toFailures(fixed), checked]),
    evidence: changed.map(({ definition, page }) => toFlagEvidence(definition, page)),
  }
}

/** Lists the flags that the table of flags on their command's page lacks. */
export function* listMissingFlags(sources: readonly string[]): Plan<FlagDefinition[]> {
  const pages = yield* listPages()
  const named = (yield* listSourceFlags(sources)).flatMap((definition) => toNamed(definition, pages))
  const files = (yield* viewFiles([...new Set(named.map(({ page }) => page.path))])).filter((file) => file !== null)
  return named.filter((one) => isMissing(one, files)).map(({ definition }) => definition)
}

function toNamed(definition: FlagDefinition, pages: readonly PageInfo[]): Named[] {
  const page = pages.find(({ path }) => posix.basename(toSlug(path)) === definition.command)
  return page ? [{ definition, page }] : []
}

interface Named {
  definition: FlagDefinition
  page: PageInfo
}

/** Returns a correction if the table has a column of defaults with another value than the code. */
function findOutdated(
  { definition, page }: Named,
  files: readonly ViewedFile[],
): (LineFix & Named & { note: string })[] {
  const { flag, defaultCode } = definition
  const lines = files.find(({ path }) => path === page.path)?.lines ?? []
  const table = findFlagTable(lines)
  const column = table?.columns.findIndex((name) => /^default$/i.test(name)) ?? -1
  const right = toDefault(defaultCode)
  const row = lines.findIndex((line) => new RegExp(`^\\|\\s*\`--${flag}\\b`).test(line))
  const now = toCells(lines[row] ?? '')[column]
  if (row < 0 || column < 0 || now === undefined || !/^`.+`$/.test(right) || !/^`.+`$/.test(now) || now === right)
    return []
  const note = `\`${page.path}\`: the default of \`--${flag}\` is ${right}, not ${now}`
  return [
    {
      definition,
      page,
      path: page.path,
      line: row + 1,
      newText: (lines[row] ?? '').replace(`| ${now} |`, `| ${right} |`),
      note,
    },
  ]
}

function isMissing({ definition, page }: Named, files: readonly ViewedFile[]): boolean {
  const lines = files.find(({ path }) => path === page.path)?.lines ?? []
  return findFlagTable(lines) !== null && !lines.some((line) => new RegExp(`--${definition.flag}(?![\\w-])`).test(line))
}

const toFlagEvidence = (
  { flag, command, source, path, fromLine, toLine }: FlagDefinition,
  page: PageInfo,
): Evidence => ({
  page: page.path,
  source,
  path,
  fromLine,
  toLine,
  note: `Defines --${flag} of ${command}.`,
})
