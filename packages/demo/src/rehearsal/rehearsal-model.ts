import { REHEARSAL_CAN_DO, SUGGESTED_PROMPTS } from '@corrigenda/contracts'
import { type MessagesRequest, type RequestMessage, toBlocks, toResultText } from '../messages-api/messages-request.ts'
import type { ModelScript } from '../messages-api/model-script.ts'
import { readMessageMark } from '../messages-api/sign-thinking.ts'
import {
  type CallResult,
  callTool,
  type Ending,
  type NeedsInput,
  type Plan,
  Question,
  type Step,
  toList,
  toText,
} from './plan.ts'
import { askWhatToImprove, chooseByAnswer, type Task, understand } from './understand.ts'

/** The rehearsal model's ID in requests. */
export const REHEARSAL_MODEL_ID = 'rehearsal'

const DISCLOSURE = 'The rehearsal model wrote this using fixed rules. No AI was used.'

/**
 * Creates the rehearsal model. It recognizes a few kinds of requests by patterns and carries them out
 * with the product's tools and fixed rules. It asks what an unclear request means, and any answer
 * leads on. An unknown request also ends with a question. No AI is involved, and every response is
 * labeled accordingly.
 * @param options.paceMs delay before each block in milliseconds, so that users can follow the
 *   output (default: 0)
 */
export function buildRehearsalModel(options: { paceMs?: number } = {}): ModelScript {
  const { paceMs = 0 } = options
  return (request) => {
    const step = replay(request)
    const text = step?.say ?? `There is nothing to add. ${DISCLOSURE}`
    const calls = (step?.calls ?? []).map((call) => ({ type: 'tool_use' as const, name: call.tool, input: call.input }))
    return { content: [{ type: 'text', text }, ...calls], paceMs }
  }
}

/**
 * Replays the work with the prompts and results that the conversation already contains. Returns the
 * next turn, or null if the work has ended. Truncated and paused responses ran no calls, so their
 * turn is repeated.
 */
function replay({ messages }: MessagesRequest): Step | null {
  const [first] = messages
  const prompts = first ? listPrompts(first) : []
  const work = workOn(prompts, readFacts(first))
  let next = work.next()
  for (const [index, message] of messages.entries()) {
    if (message.role !== 'assistant') continue
    const reply = messages[index + 1]
    if (reply) prompts.push(...listPrompts(reply))
    if (readMessageMark(message) !== 'said') continue
    if (next.done) return null
    next = work.next(readResults(message, reply))
  }
  return next.done ? null : next.value
}

/** Returns the results of a turn in the order of its calls. */
function readResults(message: RequestMessage, reply: RequestMessage | undefined): CallResult[] {
  const calls = toBlocks(message.content).filter((block) => block.type === 'tool_use')
  const results = toBlocks(reply?.content ?? []).filter((block) => block.type === 'tool_result')
  return calls.map(({ id }) => {
    const result = results.find((one) => one.tool_use_id === id)
    return result
      ? { text: toResultText(result), isError: result.is_error === true }
      : { text: 'The call has no result.', isError: true }
  })
}

/**
 * Returns the prompts in a user message: the blocks that the service announces. Other blocks, such as
 * quoted instruction files and earlier prompts, are not followed.
 */
function listPrompts({ role, content }: RequestMessage): string[] {
  if (role !== 'user') return []
  const texts = toBlocks(content).flatMap((block) => (block.type === 'text' ? [block.text] : []))
  return texts.filter((_, index) => /\bnext block contains (?:the request|it) verbatim\./.test(texts[index - 1] ?? ''))
}

interface Facts {
  /** Names of the sources that the job may read, without the documentation repository. */
  sources: readonly string[]
  /** False if a question fails the job. */
  mayAsk: boolean
  /** The choices of the question that the prompt answers. Empty if there is no such question. */
  choices: readonly string[]
}

const HOW_TO_ANSWER = 'Answer with a number or in your own words.'

/** Reads facts from the blocks before the prompt, which the service wrote. */
function readFacts(first: RequestMessage | undefined): Facts {
  const texts = toBlocks(first?.content ?? []).flatMap((block) => (block.type === 'text' ? [block.text] : []))
  const find = (start: RegExp) => texts.slice(0, -1).find((text) => start.test(text)) ?? ''
  const sources = [...find(/^Sources of this job/).matchAll(/^- ([a-z0-9-]+): /gm)].map(([, name = '']) => name)
  const service = find(/^This is a follow-up\.|^The person who made this request cannot answer/)
  const [, answer = ''] = /<earlier_answer>\n([\s\S]*)<\/earlier_answer>/.exec(service) ?? []
  const choices = answer.includes(HOW_TO_ANSWER) ? [...answer.matchAll(/^\d\. (.+)$/gm)] : []
  return {
    sources: sources.filter((name) => name !== 'docs'),
    mayAsk: !/^The person who made this request cannot answer/m.test(service),
    choices: choices.map(([, choice = '']) => choice),
  }
}

/** Turns for the work. With the calls of `finish`, they stay below the default limit of forty per job. */
const MAX_TURNS = 36
/** The result of a job can be rejected. Then another one is given, up to this number. */
const MAX_RESULTS = 4

/**
 * Works on the prompts, then calls `finish` and confirms the result. A prompt that arrives before the
 * confirmation is worked on first.
 */
function* workOn(prompts: string[], facts: Facts): Plan<void> {
  const turns = { left: MAX_TURNS }
  const endings: Ending[] = []
  let { choices } = facts
  for (let results = 0; results < MAX_RESULTS; ) {
    const prompt = prompts.shift()
    if (prompt !== undefined) {
      endings.push(yield* doPrompt(prompt, { ...facts, choices }, turns))
      choices = []
      continue
    }
    const ending = joinEndings(endings)
    if (ending.outcome === 'changed') yield* callTool('checking the changed pages', 'check_docs', { scope: 'changed' })
    const input = toFinishInput(ending)
    const review = yield* callTool(`finishing (${ending.outcome}), without AI`, 'finish', input)
    if (prompts.length > 0) continue
    const last = review.isError ? review : yield* callTool('confirming', 'finish', input)
    if (!last.isError) return
    results += 1
    endings.splice(0, endings.length, toOtherEnding(ending, last, { isFirst: results === 1, mayAsk: facts.mayAsk }))
  }
}

/** Returns the ending after a rejected result: the obvious other outcome, then the reason. */
function toOtherEnding(
  ending: Ending,
  refusal: CallResult,
  { isFirst, mayAsk }: { isFirst: boolean; mayAsk: boolean },
): Ending {
  if (isFirst && ending.outcome === 'changed' && /\bthere are no changes\b/.test(refusal.text))
    return { outcome: 'no_change', reason: 'The repository contains the requested change already.' }
  if (isFirst && ending.outcome === 'no_change') {
    const body = toText(['The change was made in an earlier conversation.', ending.reason])
    return { outcome: 'changed', title: 'Apply the requested change', body }
  }
  const reason = `The result was rejected: ${refusal.text.split('\n').slice(0, 4).join(' ')}`
  return mayAsk ? { outcome: 'needs_input', reason, choices: [] } : { outcome: 'no_change', reason }
}

type Turns = { left: number }

/** Carries out a prompt, or answers it with a question if the caller can answer. */
function* doPrompt(prompt: string, facts: Facts, turns: Turns): Plan<Ending> {
  const tasks = understand(prompt)
  if (tasks.length === 0 && facts.choices.length > 0)
    return yield* tryInTurn(chooseByAnswer(prompt, facts.choices), facts, turns)
  const ending = tasks.length > 0 ? yield* runTasks(tasks, facts, turns) : (askWhatToImprove(prompt) ?? UNKNOWN)
  if (ending.outcome !== 'needs_input' || facts.mayAsk) return ending
  if (ending.choices.length > 0) return yield* tryInTurn(ending.choices, facts, turns)
  return { outcome: 'no_change', reason: ending.reason }
}

const UNKNOWN: NeedsInput = {
  outcome: 'needs_input',
  reason: 'The rehearsal model follows a script, which does not contain this request.',
  choices: [],
}

/** Carries out the first of the prompts that leads to a change. */
function* tryInTurn(prompts: readonly string[], facts: Facts, turns: Turns): Plan<Ending> {
  const reasons: string[] = []
  for (const prompt of prompts) {
    const ending = yield* runTasks(understand(prompt), facts, turns)
    if (ending.outcome !== 'changed') {
      reasons.push(`"${prompt}" led to no change. ${ending.reason}`)
      continue
    }
    const chosen = `The request is taken as "${prompt}".`
    return { ...ending, body: toText([ending.body, chosen, ...reasons]) }
  }
  return { outcome: 'no_change', reason: toText(reasons) }
}

function* runTasks(tasks: readonly Task[], { sources }: Facts, turns: Turns): Plan<Ending> {
  const endings: Ending[] = []
  for (const task of tasks) {
    try {
      endings.push(yield* limit(task(sources), turns))
    } catch (error) {
      if (!(error instanceof Question)) throw error
      endings.push({ outcome: 'needs_input', reason: error.message, choices: error.choices })
    }
  }
  return joinEndings(endings)
}

function* limit<T>(plan: Plan<T>, turns: Turns): Plan<T> {
  let next = plan.next()
  while (!next.done) {
    if (turns.left === 0) throw new Question(`The rehearsal model stopped after ${MAX_TURNS} turns.`)
    turns.left -= 1
    next = plan.next(yield next.value)
  }
  return next.value
}

/** Joins the endings of several tasks. A change wins over a question, which wins over no change. */
function joinEndings(endings: readonly Ending[]): Ending {
  const [only] = endings
  if (only && endings.length === 1) return only
  const changes = endings.filter((ending) => ending.outcome === 'changed')
  const others = endings.filter((ending) => ending.outcome !== 'changed')
  const reasons = others.map(({ reason }) => reason)
  if (changes.length === 0) {
    return others.find(({ outcome }) => outcome === 'needs_input') ?? { outcome: 'no_change', reason: toText(reasons) }
  }
  const [first = '', ...more] = changes.map(({ title }) => title)
  const title = [first, ...more.map((one) => one.charAt(0).toLowerCase() + one.slice(1))].join(' and ')
  const evidence = changes.flatMap((change) => change.evidence ?? [])
  return { outcome: 'changed', title, body: toText([...changes.map(({ body }) => body), ...reasons]), evidence }
}

const MAX_TITLE = 72

function toFinishInput(ending: Ending): Record<string, unknown> {
  if (ending.outcome === 'changed') {
    const { outcome, title, body, evidence = [] } = ending
    return {
      outcome,
      title: title.length > MAX_TITLE ? `${title.slice(0, MAX_TITLE - 1).trimEnd()}…` : title,
      body: toText([body, 'The checks were run after the edits.', DISCLOSURE]),
      ...(evidence.length > 0 ? { evidence } : {}),
    }
  }
  const { outcome, reason } = ending
  if (outcome === 'no_change') return { outcome, reason: toText([reason, DISCLOSURE]) }
  const choices = ending.choices.map((choice, index) => `${index + 1}. ${choice}`).join('\n')
  const help = choices === '' ? [reason, CAN_DO, CONNECT] : [reason, choices, HOW_TO_ANSWER]
  return { outcome, reason: toText([...help, DISCLOSURE]) }
}

const CAN_DO = `${REHEARSAL_CAN_DO}\n\n${toList(SUGGESTED_PROMPTS.map(({ prompt }) => prompt))}`
const CONNECT = 'A real model accepts any request: `ANTHROPIC_API_KEY=sk-ant-… npx -y pnpm@12 quickstart`'
