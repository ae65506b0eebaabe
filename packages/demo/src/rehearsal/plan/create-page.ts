import { editNavigation } from './edit-navigation.ts'
import { addEntry, findNavigation, type Navigation } from './navigation.ts'
import { callTool, type Ending, type Evidence, GiveUp, type Plan, toReason } from './plan.ts'
import { runCheck } from './run-check.ts'
import { quote, toBody, toTitle } from './words.ts'

export interface NewPage {
  title: string
  description: string
  /** A group of the navigation, created if missing. Null: the group of the pages in the same folder. */
  group: string | null
  text: string
  evidence?: readonly Evidence[]
  /** Sentence for the body about where the text comes from. */
  origin?: string
}

/** Creates a page with front matter and adds it to the navigation. */
export function* createPage(path: string, page: NewPage): Plan<Ending> {
  const { title, description, group, text, evidence, origin = 'The text is in the prompt.' } = page
  const navigation = yield* findNavigation()
  const file_text = `---\ntitle: ${toScalar(title)}\ndescription: ${toScalar(description)}\n---\n\n${text}\n`
  const created = yield* callTool(`Step: writing ${path}.`, 'create', { path, file_text })
  if (created.isError) throw new GiveUp(`The page ${path} could not be created: ${toReason(created)}`)
  const placed = navigation ? yield* place(navigation, path, group) : null
  const note = placed ?? 'No suitable docs.json was found. Add the page to the navigation by hand.'
  const checked = yield* runCheck()
  return {
    outcome: 'changed',
    title: toTitle(`Add page ${quote(title)}`),
    body: toBody([`Added \`${path}\`. ${evidence ? 'The facts are in the code.' : origin}`, note, checked]),
    ...(evidence ? { evidence } : {}),
  }
}

/** Quotes a value only if YAML needs it. */
const toScalar = (text: string): string =>
  /^[\p{L}\p{N}][^:#"'\\[\]{}&*!|>%@`]*$/u.test(text) ? text : JSON.stringify(text)

/** Returns the first sentence of a text, for the description of its page. */
export function toDescription(title: string, text: string): string {
  const line =
    text
      .split('\n')
      .find((row) => /^[\p{L}\p{N}]/u.test(row.trim()))
      ?.trim() ?? ''
  const sentence = /^.{20,118}?[.!?](?=\s|$)/.exec(line.replace(/[`*_]|\[([^\]]*)\]\([^)]*\)/g, '$1'))?.[0]
  return sentence ?? `${title}.`
}

function* place(navigation: Navigation, page: string, group: string | null): Plan<string | null> {
  const splice = addEntry(navigation, page, group)
  if (!splice) return null
  const edited = yield* editNavigation(`Step: adding ${page} to ${navigation.path}.`, navigation, splice)
  return edited
    ? `Added it to the navigation in \`${navigation.path}\`${group ? `, group ${quote(group)}` : ''}.`
    : null
}
