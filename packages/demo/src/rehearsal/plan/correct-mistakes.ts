import { fixLines, type LineFix } from './fix-lines.ts'
import { isKept } from './guarded-paths.ts'
import { buildMistakePatterns, correctLine } from './misspellings.ts'
import type { Ending, Plan } from './plan.ts'
import { runCheck } from './run-check.ts'
import { searchText } from './search-text.ts'
import { type ViewedFile, viewFiles } from './view-files.ts'
import { plural, toBody, toFailures, toList } from './words.ts'

interface Mistake extends LineFix {
  corrections: string[]
}

/** Finds common misspellings and doubled words, outside of code and of release notes. */
export function* findMistakes(glob: string | null): Plan<{ files: ViewedFile[]; mistakes: Mistake[] }> {
  const paths = new Set<string>()
  for (const query of buildMistakePatterns()) {
    const hits = yield* searchText({
      query,
      mode: 'regex',
      ignoreCase: true,
      label: 'common mistakes',
      glob: glob ?? '**/*.{md,mdx}',
    })
    for (const { path } of hits) if (!isKept(path) && /\.mdx?$/.test(path)) paths.add(path)
  }
  const files = paths.size > 0 ? (yield* viewFiles([...paths].sort())).filter((file) => file !== null) : []
  return { files, mistakes: files.flatMap(findInFile) }
}

function findInFile({ path, lines }: ViewedFile): Mistake[] {
  let isCode = false
  return lines.flatMap((line, index) => {
    if (/^\s*```/.test(line)) isCode = !isCode
    if (isCode) return []
    const { text, corrections } = correctLine(line)
    return text === line ? [] : [{ path, line: index + 1, newText: text, corrections }]
  })
}

/** Corrects the mistakes in a scope. */
export function* correctMistakes({ glob, label }: { glob: string | null; label: string }): Plan<Ending> {
  const { files, mistakes } = yield* findMistakes(glob)
  if (mistakes.length === 0) {
    const reason = `No common misspelling and no doubled word was found${label}. The rehearsal model has a list of misspellings. A real model reads the text.`
    return { outcome: 'no_change', reason }
  }
  const report = yield* fixLines(`Step: correcting ${plural(mistakes.length, 'line')}.`, files, mistakes)
  if (report.done.length === 0)
    return { outcome: 'impossible', reason: `No edit was accepted: ${report.failed[0]?.reason}` }
  const checked = yield* runCheck()
  const rows = mistakes.map(({ path, line, corrections }) => `\`${path}\`, line ${line}: ${corrections.join(', ')}`)
  const body = toBody([
    `Corrected ${plural(mistakes.length, 'line')}${label}:`,
    toList(rows),
    toFailures(report),
    checked,
  ])
  return { outcome: 'changed', title: `Fix typos${label.length < 50 ? label : ''}`, body }
}
