import { z } from 'zod'
import {
  AgentInstructions,
  LocaleFence,
  PathGlob,
  ProjectBudgets,
  PullRequestLabel,
  Reviewer,
  TitlePattern,
} from './project-settings.ts'

/** Where a repository keeps its own policy: one of these, in its root. */
export const POLICY_FILE_NAMES: readonly string[] = ['.corrigenda.yml', '.corrigenda.yaml']

const count = (max: number) => z.number(`must be a number from 1 to ${max}`).int().min(1).max(max)
/** A budget that is named has a bound: none is no way to narrow. */
const bound = <S extends z.ZodType>(schema: z.ZodNullable<S>) => schema.unwrap().optional()
const { maxTurns, maxInputTokens, maxOutputTokens, maxCostUsd, maxSeconds } = ProjectBudgets.shape

/**
 * What a repository says about jobs on it, on top of its project's policy. It only ever narrows: what the project does not allow stays so, whatever
 * stands here. Nothing may be misspelt: a rule that is not understood must not be passed over.
 */
export const PolicyFile = z.strictObject({
  /** Only these may be written, of what the project lets be written. */
  writable: z.array(PathGlob).min(1).max(50).optional(),
  /** Never written, on top of what the project forbids. */
  forbidden: z.array(PathGlob).max(50).optional(),
  maxFiles: count(50).optional(),
  maxLines: count(5000).optional(),
  locales: LocaleFence.optional(),
  /** Pull requests open as drafts, whatever the project or a job says. */
  draft: z.literal(true, 'can only be true: this file narrows what the project allows').optional(),
  /** Besides those of the project and of the job. */
  labels: z.array(PullRequestLabel).max(20).optional(),
  /** Asked besides those of the project; 15 in all. */
  reviewers: z.array(Reviewer).max(15).optional(),
  /** For a project that has none. */
  titlePattern: TitlePattern.optional(),
  /** Told to the agent as the repository's guidance, below that of the project. */
  instructions: AgentInstructions.optional(),
  /** The least of the service's, the project's and these holds, one by one. */
  budgets: z
    .strictObject({
      maxTurns: bound(maxTurns),
      maxInputTokens: bound(maxInputTokens),
      maxOutputTokens: bound(maxOutputTokens),
      maxCostUsd: bound(maxCostUsd),
      maxSeconds: bound(maxSeconds),
    })
    .optional(),
})
export type PolicyFile = z.infer<typeof PolicyFile>

/** A policy file that a run found in the repository: its path, its version (blob id) and its rules. */
export const RunPolicyFile = z.object({ path: z.string(), blob: z.string(), policy: PolicyFile })
export type RunPolicyFile = z.infer<typeof RunPolicyFile>
