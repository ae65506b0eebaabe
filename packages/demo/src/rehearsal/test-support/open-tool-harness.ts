import type { CallResult } from '../plan/plan.ts'

/**
 * An in-memory repository with simplified versions of the product's tools, which return the same
 * formats.
 */
export interface ToolHarness {
  files: Map<string, string>
  calls: string[]
  run(tool: string, input: never): CallResult
}

type Input = Record<string, string> & {
  offset?: number
  ignore_case?: boolean
  view_range?: [number, number]
  expected_replacements?: number
  insert_line?: number
}

export interface HarnessOptions {
  hitsPerPage?: number
  linesPerView?: number
  readOnly?: string
  checkOutput?: string
  curt?: boolean
  /** Files of each source by path. */
  sources?: Record<string, Record<string, string>>
  /** Output of source_changes. */
  changes?: string
}

class Refused extends Error {}

export function openToolHarness(content: Record<string, string>, options: HarnessOptions = {}): ToolHarness {
  const files = new Map(Object.entries(content))
  const base = new Map(files)
  const calls: string[] = []
  let reviewed = ''
  const harness = { files, options }
  const tools: Record<string, (input: Input) => string> = {
    list_files: (input) => listFiles(toSource(harness, input), input),
    search: (input) => search(toSource(harness, input), input),
    view: (input) => view(toSource(harness, input), input),
    source_changes: (input) => {
      toSource(harness, input)
      return options.changes ?? 'No commits since 0123456789ab.'
    },
    check_docs: () => options.checkOutput ?? 'Your changes introduce no issues.',
    create: ({ path = '', file_text = '' }) => {
      if (files.has(path)) throw new Refused(`${path} exists (${lines(get(files, path)).length} lines). Use edit.`)
      files.set(path, file_text)
      return `Created ${path}.`
    },
    edit: (input) => edit(harness, input),
    insert: ({ path = '', insert_line = 0, insert_text = '' }) => {
      const all = lines(get(files, path))
      if (insert_line > all.length) throw new Refused(`insert_line ${insert_line} is out of range.`)
      all.splice(insert_line, 0, insert_text.replace(/\n$/, ''))
      files.set(path, `${all.join('\n')}\n`)
      return `Inserted after line ${insert_line} of ${path}.`
    },
    move: ({ path = '', new_path = '' }) => {
      const text = get(files, path)
      if (files.has(new_path)) throw new Refused(`${new_path} exists.`)
      files.delete(path)
      files.set(new_path, text)
      return `Moved ${path} to ${new_path}.`
    },
    delete: ({ path = '' }) => {
      get(files, path)
      files.delete(path)
      return `Deleted ${path}.`
    },
    finish: (input) => {
      const same = files.size === base.size && [...files].every(([path, text]) => base.get(path) === text)
      if (input.outcome === 'changed' && same) throw new Refused('outcome is changed, but there are no changes: none.')
      if (input.outcome === 'no_change' && !same) throw new Refused('Not finished: there are edits.')
      if (input.outcome === 'changed' ? !input.title || !input.body : !input.reason) throw new Refused('Incomplete.')
      if (reviewed === input.outcome) return 'Finished.'
      reviewed = input.outcome ?? ''
      return 'Please review before finishing.\n1 file differs.\nCall finish again with the same values to confirm.'
    },
  }
  const run = (tool: string, input: never): CallResult => {
    calls.push(`${tool} ${JSON.stringify(input)}`)
    try {
      return { text: tools[tool]?.(input) ?? `There is no tool ${tool}.`, isError: !(tool in tools) }
    } catch (error) {
      if (error instanceof Refused) return { text: error.message, isError: true }
      throw error
    }
  }
  return { files, calls, run }
}

interface HarnessState {
  files: Map<string, string>
  options: HarnessOptions
}

/** Returns the state with the files of the source that a call names. */
function toSource(state: HarnessState, { source }: Input): HarnessState {
  if (source === undefined) return state
  const files = state.options.sources?.[source]
  if (files === undefined) throw new Refused(`There is no source "${source}".`)
  return { ...state, files: new Map(Object.entries(files)) }
}

function get(files: Map<string, string>, path: string): string {
  const text = files.get(path)
  if (text === undefined) throw new Refused(`${path} does not exist. Use list_files or search to find it.`)
  return text
}

function lines(text: string): string[] {
  return text === '' ? [] : text.replace(/\n$/, '').split('\n')
}

function toMatcher(glob: string | undefined): (path: string) => boolean {
  if (glob === undefined) return () => true
  const source = glob
    .replace(/[.+^$()|[\]\\]/g, '\\$&')
    .replace(/\{([^}]*)\}/g, (_, list: string) => `(${list.replaceAll(',', '|')})`)
    .replaceAll('**/', '\0')
    .replaceAll('**', '\u0001')
    .replaceAll('*', '[^/]*')
    .replaceAll('\0', '(.*/)?')
    .replaceAll('\u0001', '.*')
  const pattern = new RegExp(`^${source}$`)
  return (path) => pattern.test(path)
}

function listFiles({ files }: HarnessState, { glob }: Input): string {
  const found = [...files.keys()].filter(toMatcher(glob)).sort()
  return found.length > 0 ? found.map((path) => `${path} 1.2 KB`).join('\n') : `No file matches ${glob}.`
}

function search(
  { files, options }: HarnessState,
  { query = '', glob, output, ignore_case, mode, offset = 0 }: Input,
): string {
  const fold = (text: string) => (ignore_case ? text.toLowerCase() : text)
  const matches =
    mode === 'regex'
      ? (text: string) => new RegExp(query, ignore_case ? 'i' : '').test(text)
      : (text: string) => fold(text).includes(fold(query))
  const paths = [...files.keys()].filter(toMatcher(glob)).sort()
  if (paths.length === 0) throw new Refused(`No file matches the glob ${glob}.`)
  const hits = paths.flatMap((path) =>
    lines(get(files, path)).flatMap((text, index) =>
      matches(text) ? [{ path, row: `${path}:${index + 1}: ${text.slice(0, 300)}` }] : [],
    ),
  )
  if (hits.length === 0) return 'No matches. Nearest:\nother.mdx (line 3): see http://x:80: nothing'
  if (output === 'files') return [...new Set(hits.map((hit) => hit.path))].join('\n')
  const end = Math.min(hits.length, offset + (options.hitsPerPage ?? 100))
  const note =
    end < hits.length
      ? `Rows ${offset + 1} to ${end} of ${hits.length} hits. Narrow the query, or use offset=${end}.`
      : `${hits.length} hits.`
  return [...hits.slice(offset, end).map((hit) => hit.row), note].join('\n')
}

function view({ files, options }: HarnessState, { path = '', view_range }: Input): string {
  const all = lines(get(files, path))
  const [first, last] = view_range ?? [1, all.length]
  const end = Math.min(last, first + (options.linesPerView ?? 600) - 1)
  const rows = all.slice(first - 1, end).map((text, index) => `${first + index}\t${text}`)
  const note = end < last ? [`[lines ${end + 1} to ${last} are omitted]`] : []
  return [`${path}: ${all.length} lines; title Some page`, ...rows, ...note].join('\n')
}

function edit(
  { files, options }: HarnessState,
  { path = '', old_str = '', new_str = '', expected_replacements }: Input,
): string {
  if (path === options.readOnly) throw new Refused(`${path} is protected and cannot be changed.`)
  const text = get(files, path)
  const count = text.split(old_str).length - 1
  if (count === 0) throw new Refused(`old_str is not in ${path}.`)
  if (count !== (expected_replacements ?? 1)) {
    throw new Refused(options.curt ? 'Wrong count.' : `old_str occurs ${count} times in ${path}.`)
  }
  files.set(path, text.split(old_str).join(new_str))
  return `Edited ${path}: ${count} replacements.`
}
