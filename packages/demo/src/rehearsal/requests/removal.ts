import { cleanPhrase, hasWord } from '../meaning/request.ts'
import { findPage } from '../plan/find-page.ts'
import { fixLines, type LineFix } from '../plan/fix-lines.ts'
import { isKept } from '../plan/guarded-paths.ts'
import { callTool, type Ending, GiveUp, type Plan, toReason } from '../plan/plan.ts'
import { runCheck } from '../plan/run-check.ts'
import { searchText } from '../plan/search-text.ts'
import { viewFile, viewFiles } from '../plan/view-files.ts'
import { plural, toBody, toFailures, toList, toTitle } from '../plan/words.ts'
import type { Reader } from './reader.ts'

const REMOVE = 'delete remove drop discard erase strip eliminate'

/** Removals of a flag's rows, a section, or things that are deprecated. */
export const readRemoval: Reader = (request) => {
  const { text } = request
  if (!hasWord(request, REMOVE) && !/\bget rid of\b/i.test(text)) return null
  const flag = /(?<![\w-])--([a-z][a-z0-9-]*)/i.exec(text)?.[1]
  if (flag) return () => removeFlag(flag)
  const [, heading, place] =
    /\b(?:the )?["']?([\w ,'-]+?)["']? (?:sub)?section (?:from|of|on|in) (?:the )?(.+?)[.!?]?$/i.exec(text) ??
    /\bsection (?:called |titled |named |about )?["']?([\w ,'-]+?)["']? (?:from|of|on|in) (?:the )?(.+?)[.!?]?$/i.exec(
      text,
    ) ??
    []
  if (heading && place)
    return () => removeSection(cleanPhrase(heading.replace(/^.*\b(?:delete|remove|drop|of|the)\s+/i, '')), place)
  if (/\bdeprecat|\bobsolete\b|\bunused\b|\boutdated\b/i.test(text)) return askForDeprecated
  return null
}

function* askForDeprecated(): Plan<Ending> {
  const hits = yield* searchText({ query: 'deprecated', ignoreCase: true, glob: '**/*.{md,mdx}' })
  const rows = hits.slice(0, 5).map(({ path, line, text }) => `\`${path}\`, line ${line}: ${text.trim().slice(0, 120)}`)
  const known =
    rows.length === 0
      ? 'No page marks anything as deprecated.'
      : `The documentation mentions it here:\n\n${toList(rows)}`
  return { outcome: 'needs_input', reason: `Which feature should be removed from the documentation? ${known}` }
}

function* removeFlag(flag: string): Plan<Ending> {
  const hits = (yield* searchText({ query: `--${flag}` })).filter(({ path }) => !isKept(path))
  if (hits.length === 0) return { outcome: 'no_change', reason: `No page mentions --${flag}.` }
  const isRow = new RegExp(`^\\|\\s*\`--${flag}(?![\\w-])`)
  const rows = hits.filter(({ text }) => isRow.test(text))
  if (rows.length === 0) {
    const list = toList(hits.map(({ path, line }) => `\`${path}\`, line ${line}`))
    return {
      outcome: 'needs_input',
      reason: `--${flag} is in no table of flags. What should replace these mentions?\n\n${list}`,
    }
  }
  const files = (yield* viewFiles([...new Set(rows.map(({ path }) => path))])).filter((file) => file !== null)
  const failed: string[] = []
  for (const { path, line } of rows) {
    const lines = files.find((file) => file.path === path)?.lines ?? []
    const old_str = `${lines[line - 1]}\n`
    const edited = yield* callTool(`Step: removing the row of --${flag} from ${path}.`, 'edit', {
      path,
      old_str,
      new_str: '',
    })
    if (edited.isError) failed.push(`\`${path}\`: ${toReason(edited)}`)
  }
  if (failed.length === rows.length) throw new GiveUp(`No edit was accepted: ${failed[0]}`)
  const others = hits.filter((hit) => !rows.includes(hit)).map(({ path, line }) => `\`${path}\`, line ${line}`)
  const left = others.length === 0 ? null : `Other mentions were not changed. Check them by hand:\n\n${toList(others)}`
  const checked = yield* runCheck()
  return {
    outcome: 'changed',
    title: `Remove --${flag} from the tables of flags`,
    body: toBody([`Removed ${plural(rows.length - failed.length, 'row')}.`, toList(failed), left, checked]),
  }
}

function* removeSection(heading: string, place: string): Plan<Ending> {
  const found = yield* findPage(cleanPhrase(place))
  if ('question' in found) return { outcome: 'needs_input', reason: found.question }
  const { path } = found.page
  const lines = (yield* viewFile(path))?.lines ?? []
  const isHeading = (line: string) => /^#{2,6} /.test(line)
  const start = lines.findIndex(
    (line) => isHeading(line) && line.replace(/^#+ /, '').toLowerCase().includes(heading.toLowerCase()),
  )
  if (start < 0) {
    return {
      outcome: 'needs_input',
      reason: `Which section of \`${path}\` do you mean? It has these:\n\n${toList(lines.filter(isHeading).map((line) => line.replace(/^#+ /, '')))}`,
    }
  }
  const depth = /^#+/.exec(lines[start] ?? '')?.[0].length ?? 2
  const next = lines.findIndex(
    (line, index) => index > start && isHeading(line) && (/^#+/.exec(line)?.[0].length ?? 9) <= depth,
  )
  const part = lines.slice(start, next < 0 ? lines.length : next)
  const old_str = next < 0 ? `\n${part.join('\n')}\n` : `${part.join('\n')}\n`
  const edited = yield* callTool(`Step: removing the section from ${path}.`, 'edit', { path, old_str, new_str: '' })
  if (edited.isError) throw new GiveUp(`The section could not be removed: ${toReason(edited)}`)
  const checked = yield* runCheck()
  const name = (lines[start] ?? '').replace(/^#+ /, '')
  return {
    outcome: 'changed',
    title: toTitle(`Remove the section ${name}`),
    body: toBody([`Removed the section ${name} (${plural(part.length, 'line')}) from \`${path}\`.`, checked]),
  }
}

/** Words or sentences in quotes that should go. */
export const readPhraseRemoval: Reader = (request) => {
  const [, phrase] = /\b(?:remove|delete|drop|strip)\b[^"']*["']([^"'\n]{2,})["']/i.exec(request.text) ?? []
  if (!phrase || hasWord(request, 'page section link')) return null
  return () => removePhrase(phrase)
}

function* removePhrase(phrase: string): Plan<Ending> {
  const hits = (yield* searchText({ query: phrase })).filter(({ path }) => !isKept(path))
  if (hits.length === 0) return { outcome: 'no_change', reason: `No page contains "${phrase}".` }
  const files = (yield* viewFiles([...new Set(hits.map(({ path }) => path))])).filter((file) => file !== null)
  const fixes = hits.map(({ path, line }): LineFix => {
    const text = files.find((file) => file.path === path)?.lines[line - 1] ?? ''
    return {
      path,
      line,
      newText: text
        .replaceAll(phrase, '')
        .replace(/(\S) {2,}/g, '$1 ')
        .replace(/ ([.,;:!?])/g, '$1')
        .trimEnd(),
    }
  })
  const report = yield* fixLines(`Step: removing "${phrase}".`, files, fixes)
  if (report.done.length === 0) throw new GiveUp(`No edit was accepted: ${report.failed[0]?.reason}`)
  const checked = yield* runCheck()
  return {
    outcome: 'changed',
    title: toTitle(`Remove "${phrase}"`),
    body: toBody([
      `Removed "${phrase}" from ${plural(report.done.length, 'line')}. Check that the sentences still read well.`,
      toFailures(report),
      checked,
    ]),
  }
}
