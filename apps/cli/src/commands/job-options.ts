import {
  JOB_OPTION_LIST,
  type JobOption,
  type JobOptionKind,
  type JobSource,
  toJobRequest,
  toJobSource,
} from '@corrigenda/contracts'
import { type Command, InvalidArgumentError, Option } from 'commander'

/** The flags below as parsed by commander. */
export interface JobFlags {
  readonly prompt: string
  readonly [flag: string]: unknown
}

/** Parses values of flags that can be repeated. */
const PARSERS: Readonly<Partial<Record<JobOptionKind, (text: string, given?: never) => unknown>>> = {
  list: addText,
  pairs: addPair,
  sources: addSource,
}

/** Adds a flag for every field of a job creation request. */
export function addJobOptions(command: Command): Command {
  command.requiredOption('--prompt <text>', 'the change to make, in one or more sentences')
  for (const [, option] of JOB_OPTION_LIST) {
    const { kind, flag, help, noHelp, choices } = option
    const parser = PARSERS[kind]
    const added = new Option(flag, parser === undefined ? help : `${help}; can be repeated`)
    if (parser !== undefined) added.argParser(parser as (text: string, given: unknown) => unknown)
    if (choices !== undefined) added.choices(choices.map(({ value }) => value))
    command.addOption(added)
    if (noHelp !== undefined) command.option(`--no-${added.name()}`, noHelp)
  }
  return command
}

/** Returns the request that the flags describe. */
export const readJobOptions = (flags: JobFlags): ReturnType<typeof toJobRequest> =>
  toJobRequest(flags.prompt, (_name, option) => {
    const value = flags[toAttribute(option)]
    // `--no-source`.
    return option.kind === 'sources' && value === false ? [] : value
  })

const toAttribute = ({ flag }: JobOption): string => new Option(flag).attributeName()

function addText(text: string, texts: readonly string[] = []): string[] {
  return [...texts, text]
}

function addSource(text: string, sources: readonly JobSource[] | boolean = []): JobSource[] {
  try {
    return [...(typeof sources === 'boolean' ? [] : sources), toJobSource(text)]
  } catch (error) {
    throw new InvalidArgumentError((error as Error).message)
  }
}

function addPair(text: string, pairs: Readonly<Record<string, string>> = {}): Record<string, string> {
  const at = text.indexOf('=')
  if (at < 1) throw new InvalidArgumentError('Use the form name=value.')
  return { ...pairs, [text.slice(0, at).trim()]: text.slice(at + 1).trim() }
}
