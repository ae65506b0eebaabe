import { z } from 'zod'
import {
  AgentInstructions,
  LocaleRule,
  PathGlob,
  ProjectBudgets,
  PullRequestLabel,
  Reviewer,
  TitlePattern,
} from './project-settings.ts'

/** Names of the policy file in the root of a repository. */
export const POLICY_FILE_NAMES: readonly string[] = ['.corrigenda.yml', '.corrigenda.yaml']

const count = (max: number) => z.number(`must be a number from 1 to ${max}`).int().min(1).max(max)
/**
 * Makes a budget optional but not nullable, because a budget without a bound would not narrow the
 * policy.
 */
const bound = <S extends z.ZodType>(schema: z.ZodNullable<S>) => schema.unwrap().optional()
const { maxTurns, maxInputTokens, maxOutputTokens, maxCostUsd, maxSeconds } = ProjectBudgets.shape

/**
 * Rules of a repository for its jobs, in addition to the policy of its project. They can only
 * narrow that policy and never allow an action that the project forbids. Unknown or misspelled
 * rules are errors, because a rule must not be ignored.
 */
export const PolicyFile = z.strictObject({
  /** Restricts the paths that the project allows to write. */
  writable: z.array(PathGlob).min(1).max(50).optional(),
  /** Paths that are never written, in addition to those of the project. */
  forbidden: z.array(PathGlob).max(50).optional(),
  maxFiles: count(50).optional(),
  maxLines: count(5000).optional(),
  locales: LocaleRule.optional(),
  /** Opens pull requests as drafts, regardless of the project or the job. */
  draft: z.literal(true, 'can only be true, because this file can only restrict the policy of the project').optional(),
  /** Added to the labels of the project and of the job. */
  labels: z.array(PullRequestLabel).max(20).optional(),
  /** Added to the reviewers of the project; at most 15 in total. */
  reviewers: z.array(Reviewer).max(15).optional(),
  /** Applies to a project without a title pattern. */
  titlePattern: TitlePattern.optional(),
  /** Passed to the agent as guidance from the repository, after the guidance from the project. */
  instructions: AgentInstructions.optional(),
  /** For each budget, the lowest value of the service, the project and this file applies. */
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
