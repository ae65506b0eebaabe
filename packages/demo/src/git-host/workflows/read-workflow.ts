/** The parts of a workflow file that the host uses. */
export interface WorkflowFile {
  readonly name: string | null
  readonly runName: string | null
  /** Names of the events that start the workflow. */
  readonly events: ReadonlySet<string>
  /** Inputs of `workflow_dispatch`, keyed by name. */
  readonly inputs: ReadonlyMap<string, { readonly required: boolean; readonly hasDefault: boolean }>
  /** Event types that `repository_dispatch` accepts, or null for all. */
  readonly types: readonly string[] | null
}

interface Line {
  readonly indent: number
  readonly key: string
  readonly value: string
}

/**
 * Parses the subset of YAML that workflow files in tests use: block style, with `on:` as one event,
 * a list in brackets, or a map with nested keys.
 */
export function readWorkflow(text: string): WorkflowFile {
  const lines = text.split('\n').flatMap(toLine)
  const value = (key: string) => lines.find((line) => line.indent === 0 && line.key === key)?.value || null
  const on = childrenOf(
    lines,
    lines.findIndex((line) => line.indent === 0 && line.key === 'on'),
  )
  const inline = toList(value('on') ?? '')
  const dispatch = childrenOf(
    on,
    on.findIndex((line) => line.key === 'workflow_dispatch'),
  )
  const inputs = childrenOf(
    dispatch,
    dispatch.findIndex((line) => line.key === 'inputs'),
  )
  const repository = childrenOf(
    on,
    on.findIndex((line) => line.key === 'repository_dispatch'),
  )
  const types = repository.find((line) => line.key === 'types')?.value
  return {
    name: value('name'),
    runName: value('run-name'),
    events: new Set([...inline, ...topOf(on).map((line) => line.key)]),
    inputs: new Map(
      topOf(inputs).map(({ key }) => {
        const facts = childrenOf(
          inputs,
          inputs.findIndex((line) => line.key === key),
        )
        const required = facts.some((line) => line.key === 'required' && line.value === 'true')
        return [key, { required, hasDefault: facts.some((line) => line.key === 'default') }]
      }),
    ),
    types: types === undefined ? null : toList(types),
  }
}

function toLine(text: string): Line[] {
  const [, space = '', key, value = ''] = /^( *)([\w-]+):(?: +(.*?))? *$/.exec(text) ?? []
  return key === undefined ? [] : [{ indent: space.length, key, value }]
}

/** Returns the lines nested under a line. */
function childrenOf(lines: readonly Line[], index: number): Line[] {
  const parent = lines[index]
  if (!parent) return []
  const rest = lines.slice(index + 1)
  const end = rest.findIndex((line) => line.indent <= parent.indent)
  return end === -1 ? rest : rest.slice(0, end)
}

function topOf(lines: readonly Line[]): Line[] {
  return lines.filter((line) => line.indent === lines[0]?.indent)
}

function toList(text: string): string[] {
  return text
    .replace(/^\[|\]$/g, '')
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean)
}
