import { z } from 'zod'
import { PathGlob } from './path-glob.ts'
import {
  AgentInstructions,
  LocaleRule,
  ProjectBudgets,
  PullRequestLabel,
  Reviewer,
  TitlePattern,
} from './project-policy.ts'

/** Names of the policy file in the repository root. */
export const POLICY_FILE_NAMES: readonly string[] = ['.corrigenda.yml', '.corrigenda.yaml']

const count = (max: number) => z.number(`must be a number from 1 to ${max}`).int().min(1).max(max)
/**
 * Makes a budget optional but not nullable, because an unlimited budget would not narrow the
 * policy.
 */
const bound = <S extends z.ZodType>(schema: z.ZodNullable<S>) => schema.unwrap().optional()
const { maxTurns, maxInputTokens, maxOutputTokens, maxCostUsd, maxSeconds } = ProjectBudgets.shape

/**
 * A repository's rules for its jobs, in addition to the project's policy. They can only narrow that
 * policy, and cannot allow an action that it forbids. Unknown or misspelled rules are errors, so
 * that no rule is silently ignored.
 */
export const PolicyFile = z.strictObject({
  /** Narrows the paths that the project allows the agent to read. */
  readable: z.array(PathGlob).min(1).max(50).optional(),
  /** Narrows the paths that the project allows the agent to write. */
  writable: z.array(PathGlob).min(1).max(50).optional(),
  /** Paths that the agent must not write, in addition to the project's forbidden paths. */
  forbidden: z.array(PathGlob).max(50).optional(),
  maxFiles: count(50).optional(),
  maxLines: count(5000).optional(),
  locales: LocaleRule.optional(),
  /** Opens pull requests as drafts, regardless of the project and job settings. */
  draft: z.literal(true, 'can only be true, because this file can only restrict the project policy').optional(),
  /** Labels added to those of the project and the job. */
  labels: z.array(PullRequestLabel).max(20).optional(),
  /** Reviewers added to the project's; at most 15 in total. */
  reviewers: z.array(Reviewer).max(15).optional(),
  /** Applies only if the project has no title pattern. */
  titlePattern: TitlePattern.optional(),
  /** Passed to the agent as guidance from the repository, after the guidance from the project. */
  instructions: AgentInstructions.optional(),
  /** For each budget, the lowest value set by the service, the project or this file applies. */
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

/**
 * A policy file that a run found in the repository: its path, its version (blob id) and its rules.
 */
export const RunPolicyFile = z.object({ path: z.string(), blob: z.string(), policy: PolicyFile })
export type RunPolicyFile = z.infer<typeof RunPolicyFile>
