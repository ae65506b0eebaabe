import {
  buildMemoryWorkspace,
  type Files,
  type MemoryWorkspace,
} from '@corrigenda/git/internal/test-support/memory-workspace'
import { buildChecker, type CheckDocs } from '@corrigenda/site/checks'
import type { PageReader } from '@corrigenda/site/thread'
import type { AgentDeps, AgentInput, AgentProgress, AgentResult } from '../loop/agent-input.ts'
import { DEFAULT_BUDGETS } from '../loop/check-budget.ts'
import { runAgent } from '../loop/run-agent.ts'
import type { CallModel } from '../model/model-call.ts'
import { buildPathPolicy, type PathPolicy, type PathPolicySettings } from '../policy/path-policy.ts'
import { buildMemoryTranscript, type MemoryTranscript } from './memory-transcript.ts'
import { type ScriptedTurn, scriptModel } from './script-model.ts'

interface AgentSetup {
  readonly files?: Files
  readonly policy?: PathPolicySettings
  readonly input?: Partial<AgentInput>
  readonly deps?: Partial<AgentDeps>
}

export interface AgentHarness {
  readonly workspace: MemoryWorkspace
  readonly transcript: MemoryTranscript
  readonly progress: AgentProgress[]
  readonly policy: PathPolicy
  readonly pages: PageReader
  readonly checkDocs: CheckDocs
  run(model: CallModel, signal?: AbortSignal): Promise<AgentResult>
  script(
    turns: readonly ScriptedTurn[],
    signal?: AbortSignal,
  ): Promise<{ result: AgentResult; requests: ReturnType<typeof scriptModel>['requests'] }>
}

export const MODEL = 'claude-sonnet-5-5'
const PAGE = '---\ntitle: Start\n---\n\n# Start\n\nInstall the tool.\n'
export const FILES: Files = {
  'docs.json': '{\n  "navigation": { "groups": [{ "group": "Guides", "pages": ["start", "next"] }] }\n}\n',
  'start.mdx': PAGE,
  'next.mdx': '---\ntitle: Next\n---\n\nSee [the start](/start).\n',
}
export const STARTED = new Date('2026-11-21T10:00:00.000Z')

/** Prepares an agent with an in-memory workspace and transcript. */
export function startAgent(setup: AgentSetup = {}): AgentHarness {
  const workspace = buildMemoryWorkspace(setup.files ?? FILES)
  const transcript = buildMemoryTranscript(workspace)
  const progress: AgentProgress[] = []
  const checker = buildChecker()
  const policy = buildPathPolicy(setup.policy)
  const run = (callModel: CallModel, signal = new AbortController().signal) =>
    runAgent(
      {
        callModel,
        workspace,
        transcript,
        checkDocs: checker.checkDocs,
        pages: checker.pages,
        policy,
        prices: { [MODEL]: { input: 2, output: 10, cacheRead: 0.2, cacheWrite: 2.5 } },
        now: () => STARTED,
        onProgress: (step) => {
          progress.push(step)
        },
        ...setup.deps,
      },
      {
        prompt: 'Correct the start page.',
        model: MODEL,
        instructions: [],
        repository: { name: 'acme/docs', baseBranch: 'main' },
        budgets: DEFAULT_BUDGETS,
        startedAt: STARTED,
        ...setup.input,
      },
      signal,
    )
  return {
    workspace,
    transcript,
    progress,
    policy,
    pages: checker.pages,
    checkDocs: checker.checkDocs,
    run,
    script: async (turns, signal) => {
      const model = scriptModel(turns)
      const result = await run(model.callModel, signal)
      return { result, requests: model.requests }
    },
  }
}
