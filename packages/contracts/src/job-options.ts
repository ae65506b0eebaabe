import { z } from 'zod'
import { JobMetadata } from './agent-job.ts'
import { BranchName } from './branch-name.ts'
import { JobSources } from './source.ts'
import { isPlain, plain } from './text-rules.ts'

/** What a question of the agent does: `ask` completes the job with the question, `fail` fails it. */
export const Questions = z.enum(['ask', 'fail'])
export type Questions = z.infer<typeof Questions>

/**
 * How a value is entered. `text` and `choice`: one word or line. `switch`: yes, no, or the project's
 * setting. `list`: texts. `pairs`: names with values. `sources`: sources in their text form.
 */
export type JobOptionKind = 'text' | 'switch' | 'choice' | 'list' | 'pairs' | 'sources'

export interface JobOption<Schema extends z.ZodType = z.ZodType> {
  readonly kind: JobOptionKind
  readonly schema: Schema
  /** For the documentation of the API and of the MCP tool. Undefined: the schema's own. */
  readonly description?: string
  /** Flag of `corrigenda job create`, and its value. */
  readonly flag: string
  /** For the command line and the GitHub Action. */
  readonly help: string
  /** Help of the flag with `--no-`, for a switch and for sources. */
  readonly noHelp?: string
  /** For the field in the dashboard. */
  readonly label: string
  readonly placeholder?: string
  readonly hint?: string
  /** Labels of the values of a choice. */
  readonly choices?: readonly { readonly value: string; readonly label: string }[]
}

const define = <Schema extends z.ZodType>(option: JobOption<Schema>) => option

/**
 * The options of a job. The request of the API, the MCP tool, the command line, the GitHub Action, the
 * form of the dashboard, and the stored options follow this table.
 */
export const JOB_OPTIONS = {
  model: define({
    kind: 'text',
    schema: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._:/@-]{0,99}$/, 'is not a valid model id'),
    description:
      'Model id, or an alias such as `sonnet`. Defaults to the model configured for the project or the service.',
    flag: '--model <id>',
    help: "model ID or alias (default: the project's or the service's default model)",
    label: 'Model',
  }),
  ref: define({
    kind: 'text',
    schema: BranchName,
    description: "The branch to start from. Defaults to the project's base branch.",
    flag: '--ref <branch>',
    help: "base branch (default: the project's base branch)",
    label: 'Base branch',
  }),
  draft: define({
    kind: 'switch',
    schema: z.boolean(),
    description: 'Open the pull request as a draft.',
    flag: '--draft',
    help: 'open the pull request as a draft',
    noHelp: "open the pull request ready for review, regardless of the project's setting",
    label: 'Open the pull request as a draft',
  }),
  branch: define({
    kind: 'text',
    schema: BranchName,
    description:
      "Name of the new branch. Must start with a prefix that the project allows, by default corrigenda/ or docs/. Defaults to the project's branch prefix followed by the job id.",
    flag: '--branch <name>',
    help: "name of the new branch (default: the project's branch prefix followed by the job ID)",
    label: 'New branch',
    placeholder: 'corrigenda/…',
  }),
  title: define({
    kind: 'text',
    schema: z.string().trim().min(1).max(200).refine(isPlain, plain),
    description: 'Title of the pull request. By default, the agent writes the title.',
    flag: '--title <text>',
    help: "pull request title (default: the agent's title)",
    label: 'Title',
    placeholder: 'Chosen by the agent',
  }),
  labels: define({
    kind: 'list',
    schema: z.array(z.string().trim().min(1).max(50).refine(isPlain, plain)).max(20),
    description: 'Labels to add to the pull request.',
    flag: '--label <name>',
    help: 'pull request label',
    label: 'Labels',
  }),
  dedupe: define({
    kind: 'switch',
    schema: z.boolean(),
    description:
      'Reject the request while another job with the same prompt and base branch is active. Defaults to the project setting, which is initially false.',
    flag: '--dedupe',
    help: 'reject the job while another job with the same prompt is active on the same base branch',
    noHelp: "accept duplicate jobs, regardless of the project's setting",
    label: 'Reject this job if another job with the same prompt and base branch is active',
  }),
  questions: define({
    kind: 'choice',
    schema: Questions,
    description:
      'If the agent needs an answer: `ask` completes the job with the question and the outcome `needs_input`; `fail` fails it with the code `needs_input`, for callers that cannot answer. Defaults to the project setting, which is initially `ask`.',
    flag: '--questions <mode>',
    help: "if the agent needs an answer, complete the job with the question, or fail it (default: the project's setting)",
    label: 'If the agent needs an answer',
    choices: [
      { value: 'ask', label: 'End with the question' },
      { value: 'fail', label: 'Fail the job' },
    ],
  }),
  metadata: define({
    kind: 'pairs',
    schema: JobMetadata,
    flag: '--metadata <name=value>',
    help: 'value to store in the job record',
    label: 'Metadata',
    hint: 'Stored with the job.',
  }),
  sources: define({
    kind: 'sources',
    schema: JobSources,
    description:
      'Sources of the project that the agent may read, together with `docs`. By default, all sources of the project, each at its branch.',
    flag: '--source <source>',
    help: 'source that the agent may read: NAME, NAME@REF, NAME@SINCE..REF, or NAME#NUMBER for a pull request (default: all sources of the project)',
    noHelp: 'read only the documentation repository',
    label: 'Sources',
  }),
}
export type JobOptionName = keyof typeof JOB_OPTIONS

/** The options in the order of the table. */
export const JOB_OPTION_LIST = Object.entries(JOB_OPTIONS) as readonly (readonly [JobOptionName, JobOption])[]

type Fields = {
  -readonly [Name in JobOptionName]: z.ZodOptional<(typeof JOB_OPTIONS)[Name]['schema']>
}

/** The optional fields of a request. */
export const JOB_OPTION_FIELDS = Object.fromEntries(
  JOB_OPTION_LIST.map(([name, { schema, description }]) => {
    const field = schema.optional()
    return [name, description === undefined ? field : field.describe(description)]
  }),
) as Fields
