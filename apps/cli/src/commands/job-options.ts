import {
  type JobFields,
  type JobRequest,
  type JobSource,
  Questions,
  toJobRequest,
  toJobSource,
} from '@corrigenda/contracts'
import { type Command, InvalidArgumentError, Option } from 'commander'

/** The flags below as parsed by commander. */
export interface JobFlags extends Pick<JobRequest, 'prompt' | 'draft' | 'dedupe' | 'questions'> {
  readonly model?: string
  readonly ref?: string
  readonly branch?: string
  readonly title?: string
  readonly label?: string[]
  readonly metadata?: Record<string, string>
  /** False for `--no-source`. */
  readonly source?: JobSource[] | false
}

/** Adds a flag for every field of a job creation request. */
export function addJobOptions(command: Command): Command {
  return command
    .requiredOption('--prompt <text>', 'the change to make, in one or more sentences')
    .option('--model <id>', "model ID or alias (default: the service's default model)")
    .option('--ref <branch>', "base branch (default: the project's base branch)")
    .option('--draft', 'open the pull request as a draft')
    .option('--no-draft', "open the pull request ready for review, regardless of the project's setting")
    .option('--branch <name>', 'name of the new branch (default: corrigenda/<job>)')
    .option('--title <text>', "pull request title (default: the agent's title)")
    .option('--label <name>', 'pull request label; can be repeated', addLabel)
    .option('--dedupe', 'reject the job while another job with the same prompt is active on the same base branch')
    .option('--no-dedupe', "accept duplicate jobs, regardless of the project's setting")
    .addOption(
      new Option(
        '--questions <mode>',
        "if the agent needs an answer, complete the job with the question, or fail it (default: the project's setting)",
      ).choices(Questions.options),
    )
    .option('--metadata <name=value>', 'value to store in the job record; can be repeated', addMetadata)
    .option(
      '--source <source>',
      'source that the agent may read: NAME, NAME@REF, NAME@SINCE..REF, or NAME#NUMBER for a pull request; can be repeated (default: all sources of the project)',
      addSource,
    )
    .option('--no-source', 'read only the documentation repository')
}

/** Returns the request that the flags describe. */
export function readJobOptions(flags: JobFlags): ReturnType<typeof toJobRequest> {
  const { prompt, model, ref, draft, branch, title, label: labels, dedupe, questions, metadata, source } = flags
  const sources = source === false ? [] : source
  const fields: JobFields = {
    prompt,
    model,
    ref,
    draft,
    branch,
    title,
    labels,
    dedupe,
    questions,
    metadata,
    sources,
  }
  return toJobRequest(fields)
}

const addLabel = (label: string, labels: readonly string[] = []): string[] => [...labels, label]

function addSource(text: string, sources: readonly JobSource[] | boolean = []): JobSource[] {
  try {
    return [...(typeof sources === 'boolean' ? [] : sources), toJobSource(text)]
  } catch (error) {
    throw new InvalidArgumentError((error as Error).message)
  }
}

function addMetadata(text: string, metadata: Readonly<Record<string, string>> = {}): Record<string, string> {
  const at = text.indexOf('=')
  if (at < 1) throw new InvalidArgumentError('Use the form name=value.')
  return { ...metadata, [text.slice(0, at).trim()]: text.slice(at + 1).trim() }
}
