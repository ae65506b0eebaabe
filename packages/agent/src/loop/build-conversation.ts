import type Anthropic from '@anthropic-ai/sdk'
import { describeSites, openBaseSites } from '@corrigenda/site/sites'
import type { ConversationHeader } from '../model/transcript.ts'
import { describeLimits } from '../policy/path-policy.ts'
import { describeSources } from '../sources/describe-sources.ts'
import { type Tool, toApiTool } from '../tools/tool.ts'
import type { AgentDeps, AgentInput, AgentOptions } from './agent-input.ts'
import { buildContinuation } from './build-continuation.ts'
import { buildFirstMessage } from './build-first-message.ts'
import { buildSystemPrompt } from './build-system-prompt.ts'
import { HARNESS_VERSION } from './harness-version.ts'
import { toWrapUp } from './notes.ts'
import type { RunState } from './read-state.ts'
import type { restrictReading } from './restrict-reading.ts'
import { shortenRequests } from './shorten-requests.ts'

interface BuildConversationInput {
  readonly deps: Pick<AgentDeps, 'policy'>
  readonly input: AgentInput
  /** What the agent may read. */
  readonly visible: ReturnType<typeof restrictReading>
  readonly tools: readonly Tool[]
  /** State before the conversation. */
  readonly state: RunState
  readonly model: string
  readonly options: AgentOptions
}

/**
 * Builds the header and the first message of the run's next conversation. After the first one, the
 * message also describes the work so far.
 */
export async function buildConversation({
  deps,
  input,
  visible,
  tools,
  state,
  model,
  options,
}: BuildConversationInput): Promise<{ header: ConversationHeader; content: Anthropic.ContentBlockParam[] }> {
  const sites = describeSites(await openBaseSites(visible.workspace))
  const prompt = {
    limits: describeLimits(deps.policy),
    instructionPaths: input.instructions.map((file) => file.path),
    projectInstructions: input.projectInstructions ?? '',
  }
  const sources = await describeSources(visible.sources)
  const header = {
    system: [{ type: 'text' as const, text: buildSystemPrompt(prompt) }],
    tools: tools.map((tool) => toApiTool(tool, options.strict)),
    model,
    harnessVersion: HARNESS_VERSION,
  }
  const unspent = state.wrapUp?.spent === false ? `\n${toWrapUp(state.wrapUp.code)}` : ''
  const isFirst = state.conversation === -1
  const continuation = isFirst ? null : `${await buildContinuation(visible, state.viewed)}${unspent}`
  const [request = '', ...messages] = shortenRequests([input.prompt, ...state.messages], options)
  const content = buildFirstMessage({ ...input, prompt: request, sites, sources, continuation, messages })
  return { header, content }
}
