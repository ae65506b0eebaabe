import { DOCS_SOURCE, type Evidence, type ToolInputs } from '@corrigenda/contracts'
import { formatDiffStat } from '@corrigenda/git/workspace'
import { formatBlocking, formatGrave, formatIntroduced, formatNotes, matchRenames } from '@corrigenda/site/checks'
import { verifyChange } from '@corrigenda/site/move'
import { checkEvidence } from './check-evidence.ts'
import { cleanBody, requireOneLine } from './clean-body.ts'
import { findSourceLeaks } from './find-source-leaks.ts'
import { findViolations } from './find-violations.ts'
import { FINISH } from './finish-state.ts'
import { listSourcesRead } from './source-reads.ts'
import { defineTool, type ToolContext, ToolError } from './tool.ts'

type FinishInput = ToolInputs['finish']

/**
 * Tool that finishes the task. The first call returns a review. The next one is final, unless it is
 * rejected. On the last turn, the first call is final.
 */
export const finish = defineTool({
  name: 'finish',
  description:
    'Finish the task. The first call returns a summary of your changes. Call it again with the same values to confirm. You cannot ask questions while you work.',
  kind: 'finish',
  async run(context, input) {
    if (input.title !== undefined) requireOneLine(input.title)
    return input.outcome === 'changed' ? await finishChanged(context, input) : await finishUnchanged(context, input)
  },
})

async function finishChanged(context: ToolContext, input: FinishInput): Promise<string> {
  const changes = await context.workspace.changes()
  if (changes.length === 0) {
    throw new ToolError(
      'outcome is changed, but there are no changes. No file differs from the base commit. Make the edits first, or finish with no_change, needs_input or impossible.',
    )
  }
  const whole = { ...context, workspace: context.repository }
  const violations = await findViolations(whole, input.title ?? null, toPublished(input))
  if (violations.length > 0) {
    const rows = violations.slice(0, 40).map((violation) => violation.message)
    throw new ToolError(
      `${FINISH.policy}\n${rows.join('\n')}\nUndo these changes, then call finish again. If the task requires them, finish with impossible and explain why. A second violation stops the run.`,
    )
  }
  const leaks = await findSourceLeaks({
    repository: context.whole,
    sources: context.sources,
    title: input.title ?? null,
    body: cleanBody(input.body ?? ''),
    evidence: input.evidence ?? [],
    reads: context.reads,
  })
  if (leaks.length > 0) {
    const rows = leaks.slice(0, 40).map(({ message }) => message)
    throw new ToolError(
      `${FINISH.leak}\n${rows.join('\n')}\nCorrect this, then call finish again. A second refusal stops the run.`,
    )
  }
  const faults = await checkEvidence(context, input.evidence ?? [], context.reads)
  if (faults.length > 0) {
    throw new ToolError(
      `${FINISH.evidence}\n${faults.slice(0, 40).join('\n')}\nCorrect or remove these entries, then call finish again.`,
    )
  }
  const results = await context.checkDocs({ workspace: context.workspace, scope: 'changed' })
  // Issues that remain after two rejections may be unfixable, for example in protected
  // translations, so they are left to the reviewer. A page that does not build is always rejected.
  const mayRetry = context.finish.refused.problems < 2 && !context.lastTurn
  const { damage, lost } = await verifyChange(context.repository, matchRenames(changes), context.pages)
  const blocking = [...damage, ...(mayRetry ? formatBlocking(results) : formatGrave(results))]
  if (blocking.length > 0) {
    throw new ToolError(`${FINISH.problems}\n${blocking.slice(0, 40).join('\n')}\nFix them, then call finish again.`)
  }
  if (context.finish.reviewed === 'changed' || context.lastTurn) return FINISH.accepted
  const found = formatIntroduced(results)
  const notes = [
    `${changes.length} ${changes.length === 1 ? 'file differs' : 'files differ'} from the base commit:`,
    formatDiffStat(changes),
    ...(found.length > 0
      ? ['Your changes introduce these issues:', ...found.slice(0, 40)]
      : ['The checks found no new issues.']),
    ...(lost.length > 0 ? ['Confirm only if the request needs the following:', ...lost.slice(0, 40)] : []),
    ...formatNotes(results),
    ...toTitleNotes(input.title),
    ...toEvidenceNotes(context, input.evidence ?? []),
  ]
  return `${FINISH.review}\n${notes.join('\n')}\nIf this meets the request, call finish again with the same values to confirm.`
}

/** Returns the published text besides the title, which must not contain credentials. */
const toPublished = ({ body, evidence = [] }: FinishInput): string =>
  [cleanBody(body ?? ''), ...evidence.flatMap(({ path, note }) => [path, note])].join('\n')

function toTitleNotes(title: string | undefined): string[] {
  if (title === undefined || title.trim() === '')
    return ['No title was given. The pull request will be named after the request.']
  return title.length > 72 ? [`The title has ${title.length} characters; at most 72 are recommended.`] : []
}

function toEvidenceNotes({ reads }: ToolContext, evidence: readonly Evidence[]): string[] {
  const notes =
    evidence.length === 0 ? [] : [`Evidence: ${evidence.length} ${evidence.length === 1 ? 'entry' : 'entries'}.`]
  const names = listSourcesRead(reads)
  if (names.length === 0 || evidence.some(({ source }) => source !== DOCS_SOURCE)) return notes
  return [
    ...notes,
    `You read ${names.join(', ')}, but gave no evidence from there. Add the lines that support the facts on the changed pages. Otherwise, the pull request states that the change has no evidence.`,
  ]
}

async function finishUnchanged(context: ToolContext, input: FinishInput): Promise<string> {
  const { outcome, reason = '' } = input
  if (outcome !== 'no_change' && reason.trim() === '') {
    const what =
      outcome === 'needs_input'
        ? 'the question and the facts that you already have'
        : 'an explanation of why it cannot be done'
    throw new ToolError(`outcome ${outcome} needs a reason: ${what}.`)
  }
  const changes = await context.workspace.changes()
  if (outcome === 'no_change' && changes.length > 0 && context.finish.refused.edits === 0) {
    throw new ToolError(
      `${FINISH.edits}\n${formatDiffStat(changes)}\nTo keep the edits, finish with changed. Otherwise, undo them. If you finish with no_change again, they will be discarded.`,
    )
  }
  if (context.finish.reviewed === outcome || context.lastTurn) return FINISH.accepted
  const discarded =
    changes.length === 0
      ? 'No file was changed.'
      : `Your edits to ${changes.length} ${changes.length === 1 ? 'file' : 'files'} will be discarded.`
  return `${FINISH.review}\nOutcome ${outcome}: there will be no pull request. ${discarded}\nIf this is correct, call finish again with the same values to confirm.`
}
