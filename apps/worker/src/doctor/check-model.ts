import { randomInt } from 'node:crypto'
import type Anthropic from '@anthropic-ai/sdk'
import {
  type AgentOptions,
  type AssistantRow,
  buildRequest,
  describeTruncation,
  findTruncation,
  toAgentOptions,
  type UserRow,
} from '@corrigenda/agent/loop'
import {
  addUsage,
  buildCallModel,
  buildProvider,
  type CallModel,
  type ConversationHeader,
  MAX_CALLS,
  ModelError,
  type ModelReply,
  toCost,
  toPrices,
  toPromptTokens,
} from '@corrigenda/agent/model'
import type { WorkerConfig } from '../config/config.ts'

/** About 4,500 tokens, long enough for every provider's prompt cache. */
const MANUAL = Array.from(
  { length: 300 },
  (_, line) => `Rule ${line + 1}: a page describes the current version, in the same words that its readers use.`,
).join('\n')

const INPUT_SCHEMA = {
  type: 'object' as const,
  properties: { part: { type: 'string', description: 'The requested part. Always `docs`.' } },
  required: ['part'],
  additionalProperties: false,
}

/** One finding about a model. `problem` means that jobs will fail. */
interface ModelFinding {
  readonly subject: string
  readonly state: 'ok' | 'warning' | 'problem'
  readonly text: string
}

/** Total time limit for all requests, including those sent after a rejection. */
const TIMEOUT_MS = 120_000
/** Maximum output tokens per reply, with room for thinking. */
const MAX_OUTPUT = 2_000

/**
 * Makes one streamed round trip with a tool call to the configured provider, using the same
 * settings as jobs. Uses about 10,000 tokens. If the provider rejects a request, sends a few more
 * to find settings that work. Does not throw provider errors, and returns no secrets.
 * @param subject prefix of each finding's subject
 */
export async function checkModel(config: WorkerConfig, model: string, subject = 'Model'): Promise<ModelFinding[]> {
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  const callModel = buildCallModel({ ...config.anthropic, maxRetries: Math.min(1, config.anthropic.maxRetries ?? 1) })
  const all = toAgentOptions(config.agent, config.models, model)
  const options = { ...all, maxOutput: Math.min(all.maxOutput, MAX_OUTPUT) }
  const attempt = (tried: AgentOptions) =>
    makeRoundTrip(callModel, { model, options: tried, code: String(randomInt(100_000, 1_000_000)), signal })
  try {
    const trip = await attempt(options)
    const where = buildProvider(config.anthropic).host ?? "the platform's default endpoint"
    const took = `${Math.round(trip.milliseconds / trip.replies.length)} ms per turn`
    return [
      { subject, state: 'ok', text: `${model} responds at ${where}, streamed, ${took}` },
      toToolFinding(subject, trip),
      ...toFeatureFindings(subject, options, trip),
      ...toUsageFindings(subject, config, { model, options, trip }),
    ]
  } catch (error) {
    if (signal.aborted) return [{ subject, state: 'problem', text: `${model} did not respond within two minutes.` }]
    if (!(error instanceof ModelError)) throw error
    const settings = error.code === 'model_bad_request' ? await findWorkingSettings(options, attempt, signal) : null
    const advice = settings === null ? '' : ` It works with ${settings.join(' and ')}.`
    return [{ subject, state: 'problem', text: `${model}: ${error.message}${advice}` }]
  }
}

async function findWorkingSettings(
  options: AgentOptions,
  attempt: (options: AgentOptions) => Promise<unknown>,
  signal: AbortSignal,
): Promise<string[] | null> {
  try {
    return await findWorkingSwitches(options, attempt)
  } catch (error) {
    if (signal.aborted) return null
    throw error
  }
}

function toToolFinding(subject: string, { called, understood, replies }: RoundTrip): ModelFinding {
  const tools = `${subject} tools`
  if (!called) {
    const text =
      'The model did not call the requested tool. Use a model that calls tools, or enable tool calls on the server.'
    return { subject: tools, state: 'problem', text }
  }
  if (understood) return { subject: tools, state: 'ok', text: 'called a tool, read its result and ended its turn' }
  const stop = String(replies.at(-1)?.stopReason).slice(0, 40)
  return {
    subject: tools,
    state: 'warning',
    text: `called a tool, but did not repeat its result (stop reason ${stop})`,
  }
}

function toFeatureFindings(subject: string, options: AgentOptions, { replies }: RoundTrip): ModelFinding[] {
  const finding = (name: string, state: ModelFinding['state'], text: string) => ({
    subject: `${subject} ${name}`,
    state,
    text,
  })
  const used = replies.map(({ usage }) => usage)
  const cached = used.reduce((sum, usage) => sum + usage.cacheReadTokens, 0)
  const isCached = cached > 0 || used.some((usage) => usage.cacheWriteTokens > 0)
  const hasThinking = replies.some(({ content }) => content.some(({ type }) => /thinking/.test(type)))
  const unseen =
    'Enabled, but not used by the provider. Every turn is billed at full price. To stop requesting it, set MODEL_CACHING=off.'
  return [
    options.caching
      ? finding(
          'caching',
          isCached ? 'ok' : 'warning',
          isCached ? `works, ${cached} tokens read from the cache` : unseen,
        )
      : finding('caching', 'ok', 'off (MODEL_CACHING)'),
    finding('strict tools', 'ok', options.strict ? 'accepted' : 'off (MODEL_STRICT)'),
    finding(
      'thinking',
      'ok',
      `${options.thinking === 'omit' ? 'model default' : 'enabled'}, ${hasThinking ? 'used' : 'not used'}`,
    ),
  ]
}

function toUsageFindings(
  subject: string,
  config: WorkerConfig,
  { model, options, trip }: { model: string; options: AgentOptions; trip: RoundTrip },
): ModelFinding[] {
  const findings: ModelFinding[] = []
  const usage = trip.replies.map((reply) => reply.usage).reduce<ReturnType<typeof addUsage>>(addUsage, null)
  if (usage === null || toPromptTokens(usage) === 0) {
    const text =
      'The provider does not report usage, so token and cost budgets have no effect. Turn and time budgets apply.'
    findings.push({ subject: `${subject} usage`, state: 'warning', text })
  } else if (toCost(toPrices(config.models), model, usage) === null) {
    const text = `The price of ${model} is unknown, so MAX_COST_USD has no effect. Set its price in MODELS.`
    findings.push({ subject: `${subject} price`, state: 'warning', text })
  }
  const cut = options.truncationCheck ? findTruncation(trip) : null
  if (cut !== null) findings.push({ subject: `${subject} context`, state: 'problem', text: describeTruncation(cut) })
  return findings
}

interface Switch {
  readonly setting: string
  readonly isOn: (options: AgentOptions) => boolean
  readonly off: Partial<AgentOptions>
}

const SWITCHES: readonly Switch[] = [
  { setting: 'MODEL_CACHING=off', isOn: ({ caching }) => caching, off: { caching: false } },
  { setting: 'MODEL_STRICT=off', isOn: ({ strict }) => strict, off: { strict: false } },
  { setting: 'MODEL_THINKING=omit', isOn: ({ thinking }) => thinking !== 'omit', off: { thinking: 'omit' } },
  { setting: 'MODEL_EFFORT= (empty)', isOn: ({ effort }) => effort !== null, off: { effort: null } },
  {
    setting: `MODEL_PARALLEL_CALLS=${MAX_CALLS}`,
    isOn: ({ parallelCalls }) => parallelCalls === 1,
    off: { parallelCalls: MAX_CALLS },
  },
]

/**
 * Finds the settings that make a rejected request work. Tries each alone, then all together. Then
 * reverts them one at a time, so that the result contains only necessary settings. Makes a few
 * short requests.
 * @param attempt throws ModelError when the provider rejects these options
 * @returns the settings; null if the request fails even with all of them
 */
async function findWorkingSwitches(
  options: AgentOptions,
  attempt: (options: AgentOptions) => Promise<unknown>,
): Promise<string[] | null> {
  const works = async (off: readonly Switch[]) => {
    try {
      await attempt(Object.assign({}, options, ...off.map((one) => one.off)))
      return true
    } catch (error) {
      if (error instanceof ModelError) return false
      throw error
    }
  }
  const on = SWITCHES.filter((one) => one.isOn(options))
  for (const one of on) if (await works([one])) return [one.setting]
  if (on.length < 2 || !(await works(on))) return null
  let needed = on
  for (const one of on) {
    const fewer = needed.filter((other) => other !== one)
    if (fewer.length > 1 && (await works(fewer))) needed = fewer
  }
  return needed.map(({ setting }) => setting)
}

/** A round trip with a tool call: request, replies and duration. */
interface RoundTrip {
  readonly header: ConversationHeader
  readonly rows: readonly (AssistantRow | UserRow)[]
  readonly replies: readonly ModelReply[]
  /** True when the model called the tool. */
  readonly called: boolean
  /** True when the model repeated the code that only the tool result contains. */
  readonly understood: boolean
  readonly milliseconds: number
}

/**
 * Makes one streamed round trip as the agent does: tool call, tool result, final reply.
 * @param code the code that the tool returns
 * @throws ModelError
 */
async function makeRoundTrip(
  callModel: CallModel,
  { model, options, code, signal }: { model: string; options: AgentOptions; code: string; signal: AbortSignal },
): Promise<RoundTrip> {
  const tool: Anthropic.Tool = {
    name: 'read_code',
    description: 'Read the code of a part. Only this tool can return it.',
    input_schema: INPUT_SCHEMA,
    ...(options.strict ? { strict: true } : {}),
  }
  const header: ConversationHeader = {
    system: [{ type: 'text', text: `You check a connection.\n${MANUAL}` }],
    tools: [tool],
    model,
    harnessVersion: 'doctor',
  }
  const ask = 'Call the tool `read_code` for the part `docs`, then reply with only the code that it returned.'
  const started = performance.now()
  const send = async (rows: readonly (AssistantRow | UserRow)[]) => {
    const reply = await callModel(buildRequest(header, rows, options), { signal })
    return { reply, row: { role: 'assistant' as const, ...reply } }
  }
  const asked: UserRow = { role: 'user', content: [{ type: 'text', text: ask }] }
  const first = await send([asked])
  const calls = first.reply.content.filter((block) => block.type === 'tool_use')
  if (calls.length === 0) {
    const rows = [asked, first.row]
    const milliseconds = performance.now() - started
    return { header, rows, replies: [first.reply], called: false, understood: false, milliseconds }
  }
  const content = calls.map(({ id }) => ({
    type: 'tool_result' as const,
    tool_use_id: id,
    content: `The code: ${code}`,
  }))
  const answered: UserRow = { role: 'user', content }
  const second = await send([asked, first.row, answered])
  const text = second.reply.content.map((block) => (block.type === 'text' ? block.text : '')).join('')
  return {
    header,
    rows: [asked, first.row, answered, second.row],
    replies: [first.reply, second.reply],
    called: true,
    understood: text.includes(code),
    milliseconds: performance.now() - started,
  }
}
