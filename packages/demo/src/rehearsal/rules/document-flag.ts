import { addFlagRow } from '../plan/add-flag-row.ts'
import { type FlagDefinition, findFlagDefinitions } from '../plan/find-flag-definitions.ts'
import type { Ending, Evidence, Plan } from '../plan/plan.ts'
import { type JobFacts, pattern, type Rule } from '../plan/rule.ts'
import { runCheck } from '../plan/run-check.ts'
import { toBody, toList, toTitle } from '../plan/words.ts'

const sentence = pattern(
  '\\bdocument (?:the )?(?:new )?(?:flag |option )?[`"“]?--([a-z][a-z0-9-]*)[`"”]?(?: (?:flag|option)\\b)?(?: (?:of|for|in) (?:the )?(?:command )?[`"“]?((?:[a-z][a-z0-9-]* )?[a-z][a-z0-9-]*))?',
)

export const documentFlag: Rule = {
  usage: 'document the --FLAG flag [of the COMMAND command]',
  does: "Searches the project's sources for the definition of the flag, adds a row with its description to\nthe table of flags on the page of its command, and cites the definition.",
  example: 'Document the new --json flag',
  match(prompt) {
    const found = sentence.exec(prompt)
    const [, flag, words] = found ?? []
    if (!found || !flag) return null
    const command = words
      ?.split(/\s+/)
      .filter((word) => word !== 'command')
      .at(-1)
    return { position: found.index, plan: (job) => documentFlagRow(flag.toLowerCase(), command?.toLowerCase(), job) }
  },
}

export function* documentFlagRow(flag: string, command: string | undefined, { sources }: JobFacts): Plan<Ending> {
  if (sources.length === 0) {
    return {
      outcome: 'needs_input',
      reason: `What does --${flag} do? The project has no source that contains the code. Add one in the project settings.`,
    }
  }
  const all = yield* findFlagDefinitions(flag, sources)
  const definitions = command === undefined ? all : all.filter((definition) => definition.command === command)
  const [definition, ...others] = definitions
  if (!definition || others.length > 0) return { outcome: 'needs_input', reason: toQuestion(flag, command, all) }
  const { page, isNew } = yield* addFlagRow(definition)
  if (!isNew) return { outcome: 'no_change', reason: `${page} already contains --${flag}.` }
  const checked = yield* runCheck()
  return {
    outcome: 'changed',
    title: toTitle(`Document --${flag} of ${definition.command}`),
    body: toBody([
      `Added \`--${flag}\` to the table of flags in \`${page}\`. The description is the one in the code.`,
      checked,
    ]),
    evidence: [toEvidence(definition, page)],
  }
}

export const toEvidence = (
  { flag, command, source, path, fromLine, toLine }: FlagDefinition,
  page: string,
): Evidence => ({
  page,
  source,
  path,
  fromLine,
  toLine,
  note: `Defines --${flag} of ${command} and its description.`,
})

function toQuestion(flag: string, command: string | undefined, found: readonly FlagDefinition[]): string {
  const rows = toList(found.map((definition) => `\`--${flag}\` of ${definition.command}, in \`${definition.path}\``))
  if (found.length > 1 && command === undefined) return `Which command do you mean? The sources define:\n\n${rows}`
  const missing = `What does --${flag}${command ? ` of ${command}` : ''} do? The sources do not define it.`
  return found.length === 0 ? missing : `${missing} They define:\n\n${rows}`
}
