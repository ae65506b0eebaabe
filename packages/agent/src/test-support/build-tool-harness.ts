import type Anthropic from '@anthropic-ai/sdk'
import {
  buildMemoryWorkspace,
  type Files,
  type MemoryWorkspace,
} from '@corrigenda/git/internal/test-support/memory-workspace'
import { buildChecker } from '@corrigenda/site/checks'
import { restrictReading } from '../loop/restrict-reading.ts'
import { runTools } from '../loop/run-tools.ts'
import { buildPathPolicy, type PathPolicySettings } from '../policy/path-policy.ts'
import type { AgentSource } from '../sources/agent-source.ts'
import { ALL_TOOLS } from '../tools/all-tools.ts'
import { NOT_FINISHED } from '../tools/finish-state.ts'
import type { ToolContext } from '../tools/tool.ts'
import type { ScriptedCall } from './script-model.ts'

interface ToolHarness {
  readonly workspace: MemoryWorkspace
  /** Runs one call. Returns the text for the model and the error flag. */
  call(name: string, input: unknown, context?: Partial<ToolContext>): Promise<{ text: string; isError: boolean }>
  /** Runs the calls as one turn. */
  turn(calls: readonly ScriptedCall[]): Promise<{ text: string; isError: boolean }[]>
  /** Errors that are not intended for the model. */
  readonly faults: unknown[]
}

export function buildToolHarness(
  files: Files,
  settings: PathPolicySettings = {},
  sources: readonly AgentSource[] = [],
): ToolHarness {
  const workspace = buildMemoryWorkspace(files)
  const faults: unknown[] = []
  const checker = buildChecker()
  let calls = 0
  const run = async (turn: readonly ScriptedCall[], extra: Partial<ToolContext>) => {
    const policy = buildPathPolicy(settings)
    const context: ToolContext = {
      ...restrictReading({ workspace, checkDocs: checker.checkDocs, policy, sources }),
      repository: workspace,
      whole: workspace,
      pages: checker.pages,
      policy,
      knownSecrets: [],
      finish: NOT_FINISHED,
      reads: {},
      lastTurn: false,
      ...extra,
    }
    const blocks = turn.map(([name, input]) => {
      calls += 1
      return { type: 'tool_use', id: `toolu_${calls}`, name, input } as Anthropic.ToolUseBlock
    })
    const outcomes = await runTools({
      tools: ALL_TOOLS,
      context,
      calls: blocks,
      signal: new AbortController().signal,
      onFault: (error) => faults.push(error),
    })
    return outcomes.map(({ text, isError }) => ({ text, isError }))
  }
  return {
    workspace,
    faults,
    turn: (turn) => run(turn, {}),
    call: async (name, input, context = {}) => {
      const [outcome] = await run([[name, input]], context)
      if (outcome === undefined) throw new Error('the call has no outcome')
      return outcome
    },
  }
}

export function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}
