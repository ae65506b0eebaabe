import type { UpdateProjectSettings } from '@corrigenda/contracts'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { z } from 'zod'

const JsonObject = z.record(z.string(), z.json())
type JsonObject = z.infer<typeof JsonObject>

/** The deployment options as parsed by commander. */
export interface DeployOptions {
  readonly deployHook?: string
  readonly deployWorkflow?: string
  readonly deployRef?: string
  readonly deployInput?: Record<string, string>
  readonly deployEvent?: string
  readonly deployPayload?: JsonObject
  readonly deployOnMerge?: boolean
  readonly previewUrl?: string
}

const TARGETS = ['deployHook', 'deployWorkflow', 'deployEvent']

/**
 * Adds the options that set how a project's documentation is deployed: with a hook, a workflow or
 * an event.
 */
export function addDeployOptions(command: Command): Command {
  const oneOf = (option: Option) => option.conflicts(TARGETS.filter((name) => name !== option.attributeName()))
  return command
    .addOption(
      oneOf(
        new Option(
          '--deploy-hook <url>',
          'URL to call to deploy the documentation; an empty value disables deployments',
        ),
      ),
    )
    .addOption(
      oneOf(new Option('--deploy-workflow <file>', 'GitHub Actions workflow to start instead, for example docs.yml')),
    )
    .option('--deploy-ref <ref>', 'branch or tag to start the workflow on (default: the base branch)')
    .option('--deploy-input <name=value>', 'workflow input; can be repeated', parseInput)
    .addOption(oneOf(new Option('--deploy-event <type>', 'repository_dispatch event to send instead')))
    .option('--deploy-payload <json>', 'client_payload of the event as a JSON object', parsePayload)
    .option('--deploy-on-merge <on|off>', "deploy when a job's pull request is merged", parseSwitch)
    .option(
      '--preview-url <template>',
      'URL of previews, with {branchSlug} or {branch}; an empty value disables previews',
    )
}

/**
 * Returns the changes to the project. Omits options that are not set.
 * @throws Error if an option does not apply to the chosen kind of target
 */
export function toDeployChange(
  options: DeployOptions,
): Pick<UpdateProjectSettings, 'deployTarget' | 'deployOnMerge' | 'previewUrlTemplate'> {
  const { deployHook, deployWorkflow, deployRef, deployInput, deployEvent, deployPayload, deployOnMerge, previewUrl } =
    options
  if (deployWorkflow === undefined && (deployRef !== undefined || deployInput !== undefined)) {
    throw new Error('--deploy-ref and --deploy-input require --deploy-workflow.')
  }
  if (deployEvent === undefined && deployPayload !== undefined) {
    throw new Error('--deploy-payload requires --deploy-event.')
  }
  const others = {
    ...(deployOnMerge === undefined ? {} : { deployOnMerge }),
    ...(previewUrl === undefined ? {} : { previewUrlTemplate: previewUrl || null }),
  }
  if (deployHook !== undefined) {
    return { ...others, deployTarget: deployHook === '' ? null : { kind: 'hook', url: deployHook } }
  }
  if (deployWorkflow !== undefined) {
    const ref = deployRef === undefined ? {} : { ref: deployRef }
    const inputs = deployInput === undefined ? {} : { inputs: deployInput }
    return { ...others, deployTarget: { kind: 'workflow_dispatch', workflow: deployWorkflow, ...ref, ...inputs } }
  }
  if (deployEvent !== undefined) {
    const payload = deployPayload === undefined ? {} : { clientPayload: deployPayload }
    return { ...others, deployTarget: { kind: 'repository_dispatch', eventType: deployEvent, ...payload } }
  }
  return others
}

function parseInput(text: string, before: Record<string, string> = {}): Record<string, string> {
  const [, name, value] = /^([^=]+)=([\s\S]*)$/.exec(text) ?? []
  if (name === undefined || value === undefined) throw new InvalidArgumentError('Use the form name=value.')
  return { ...before, [name]: value }
}

function parsePayload(text: string): JsonObject {
  try {
    const value = JsonObject.safeParse(JSON.parse(text))
    if (value.success) return value.data
  } catch {
    // Invalid JSON is reported below.
  }
  throw new InvalidArgumentError('Use a JSON object, for example {"site":"docs"}.')
}

export function parseSwitch(text: string): boolean {
  if (text !== 'on' && text !== 'off') throw new InvalidArgumentError('Use on or off.')
  return text === 'on'
}
