import { type CreateAgentJobRequest, type JobFields, toJobRequest } from '@corrigenda/contracts'
import { type Command, InvalidArgumentError } from 'commander'

/** The flags below as parsed by commander. */
export interface JobFlags extends Pick<CreateAgentJobRequest, 'prompt' | 'draft' | 'dedupe'> {
  readonly model?: string
  readonly ref?: string
  readonly branch?: string
  readonly title?: string
  readonly label?: string[]
  readonly metadata?: Record<string, string>
}

/** Adds a flag for every field of a new job. */
export function addJobOptions(command: Command): Command {
  return command
    .requiredOption('--prompt <text>', 'what to change, in a sentence or more')
    .option('--model <id>', "a model id, in place of the service's default")
    .option('--ref <branch>', "the branch to start from, in place of the project's")
    .option('--draft', 'open the pull request as a draft')
    .option('--no-draft', "open the pull request ready for review, whatever the project's setting")
    .option('--branch <name>', 'name of the new branch, in place of corrigenda/<job>')
    .option('--title <text>', "title of the pull request, in place of the agent's")
    .option('--label <name>', 'a label of the pull request; repeat it for more', addLabel)
    .option('--dedupe', 'refuse the job while one with the same prompt works on the same base branch')
    .option('--no-dedupe', "accept the job in any case, whatever the project's setting")
    .option('--metadata <name=value>', 'a value that the job record keeps; repeat it for more', addMetadata)
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
  if (at < 1) throw new InvalidArgumentError('Write it as name=value.')
  return { ...metadata, [text.slice(0, at).trim()]: text.slice(at + 1).trim() }
}
