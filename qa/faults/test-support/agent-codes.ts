import type { FailureCode } from '@corrigenda/contracts'
import type { CodeTexts } from './code-texts.ts'

const budget = { area: 'work', remedy: 'Make the task smaller or raise the budget.' } as const

/** Explanations of the failure codes for the agent, the service and the model API. */
export const AGENT_CODES = {
  budget_cost: { ...budget, meaning: "The run's cost budget (`MAX_COST_USD`) is used up." },
  budget_month: {
    area: 'work',
    meaning: "The project's or the service's monthly budget is used up.",
    remedy: 'Raise the budget, or retry in the next month.',
    details: 'The failure message names the budget and the end of the month. New jobs are rejected until then.',
  },
  budget_time: {
    ...budget,
    meaning: "The run's time budget (`MAX_JOB_SECONDS`) is used up.",
    details: 'Time spent waiting for a worker does not count.',
  },
  budget_tokens: {
    ...budget,
    meaning: "The run's token budget is used up.",
    details: 'The limits are `MAX_INPUT_TOKENS` and `MAX_OUTPUT_TOKENS`.',
  },
  budget_turns: { ...budget, meaning: "The run's turn budget (`MAX_TURNS`) is used up." },
  checks_failed: {
    area: 'work',
    meaning: 'The change would break the site build, and the model did not fix it.',
    remedy: 'Retry, or mention the problem in the prompt.',
    details: 'The failure message and `checks` list the issues.',
  },
  context_exhausted: {
    area: 'work',
    meaning: 'The task did not fit into three conversations.',
    remedy: 'Split the task.',
  },
  impossible: {
    area: 'work',
    meaning: 'The model reports that the task is impossible.',
    remedy: 'Change the task.',
    details: "The failure message contains the model's reason.",
  },
  model_refused: { area: 'work', meaning: 'The model declined the request.', remedy: 'Reword the prompt.' },
  needs_input: {
    area: 'work',
    meaning: 'The agent needs an answer, and the job or its project has `questions` set to `fail`.',
    remedy: 'Add the answer to the prompt, or allow questions.',
    details: 'The failure message is the question.',
  },
  no_finish: { area: 'work', meaning: 'The model stopped calling tools and did not finish.', remedy: 'Retry.' },
  policy_file_invalid: {
    area: 'work',
    meaning: "The repository's policy file, `.corrigenda.yml`, is invalid.",
    remedy: 'Correct the file on the base branch.',
    details: 'The failure message lists the errors in the file. The job changed nothing.',
  },
  policy_violation: {
    area: 'work',
    meaning: 'The change violates the policy, and the model did not revert it.',
    remedy: 'Change the task, or make that part of the change yourself.',
    details: 'The failure message lists the paths.',
  },
  source_leak: {
    area: 'work',
    meaning: 'The change repeats text of a private source, and the model did not remove it.',
    remedy: 'Change the task, or mark the text as quotable in the settings of the source.',
    details:
      'The failure message names the source and the kind of the repeated text. Nothing was published, and the changes are not stored.',
  },
  stuck: {
    area: 'work',
    meaning: 'The model repeated the same call five times with the same result.',
    remedy: 'Describe the task more clearly.',
  },
  unreadable_content: {
    area: 'work',
    meaning: 'Text of a repository or of the change took too much time or memory to read.',
    remedy: 'Simplify the named file, or ask for a change that does not need it.',
    details:
      'Reading text may compute for 60 seconds and use 512 MB. The failure message names the file that was read last. Other jobs are not affected.',
  },
  worker_unresponsive: {
    area: 'work',
    meaning: 'Two workers stopped responding while they worked on the job.',
    remedy: 'Retry the job. If it fails again, report the repository and the task as a bug.',
    details: 'A worker that does not respond for 60 seconds ends itself. Its other jobs continue in other workers.',
  },

  attempts_exhausted: {
    area: 'service',
    meaning: 'The worker crashed on every attempt (`MAX_ATTEMPTS`, 10 by default).',
    remedy: "Check the workers' logs and memory, then retry.",
    details: 'The job may be too large for the worker.',
  },
  cancelled: { area: 'service', meaning: 'The job was cancelled.', remedy: 'No action is needed.' },
  internal_error: {
    area: 'service',
    meaning: 'A bug in Corrigenda caused an error five times in a row.',
    remedy: 'Report it. The worker log contains the details.',
  },

  context_truncated: {
    area: 'model',
    meaning: 'The model API silently truncates prompts that do not fit.',
    remedy: 'Configure a larger context window on the server.',
    details: 'See [providers](providers.md).',
  },
  model_bad_reply: {
    area: 'model',
    meaning: 'The model API returned three invalid replies, or a redirect.',
    remedy: 'Check `ANTHROPIC_BASE_URL` and the model, then retry.',
    details: 'The failure message contains the reason. The replies count toward the budgets.',
  },
  model_bad_request: {
    area: 'model',
    meaning: 'The model API rejected the request.',
    remedy: 'Check the model name and the length of the prompt and instruction files.',
    details: "The failure message contains the API's reason.",
  },
  model_billing: {
    area: 'model',
    meaning: 'The model API account has no credit or has reached its spend limit.',
    remedy: 'Add credit or raise the spend limit, then retry.',
    details: "Corrigenda never retries this error. The failure message contains the API's reason.",
  },
  model_not_found: {
    area: 'model',
    meaning: 'The model API does not offer the model.',
    remedy: "Correct the job's model or `MODEL`.",
  },
  model_unauthorized: {
    area: 'model',
    meaning: 'The key is invalid or has no access to the model.',
    remedy: 'Check `ANTHROPIC_API_KEY`.',
  },
  model_unavailable: {
    area: 'model',
    meaning: 'The model API was unavailable, overloaded or rate limited for too long.',
    remedy: 'Retry later.',
  },
} satisfies Partial<Record<FailureCode, CodeTexts>>
