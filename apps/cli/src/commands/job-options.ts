import { type JobFields, type JobRequest, toJobRequest } from '@corrigenda/contracts'
import { type Command, InvalidArgumentError } from 'commander'

/** The flags below as parsed by commander. */
export interface JobFlags extends Pick<JobRequest, 'prompt' | 'draft' | 'dedupe'> {
  readonly model?: string
  readonly ref?: string
  readonly branch?: string
  readonly title?: string
  readonly label?: string[]
  readonly metadata?: Record<string, string>
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
    .option('--metadata <name=value>', 'value to store in the job record; can be repeated', addMetadata)
}

/** Returns the request that the flags describe. */
export function readJobOptions(flags: JobFlags): ReturnType<typeof toJobRequest> {
  const { prompt, model, ref, draft, branch, title, label: labels, dedupe, metadata } = flags
  const fields: JobFields = { prompt, model, ref, draft, branch, title, labels, dedupe, metadata }
  return toJobRequest(fields)
}

const addLabel = (label: string, labels: readonly string[] = []): string[] => [...labels, label]

function addMetadata(text: string, metadata: Readonly<Record<string, string>> = {}): Record<string, string> {
  const at = text.indexOf('=')
  if (at < 1) throw new InvalidArgumentError('Use the form name=value.')
  return { ...metadata, [text.slice(0, at).trim()]: text.slice(at + 1).trim() }
}
