import { type ScriptTurn, scriptPrompt } from '@corrigenda/testkit'
import { buildPages, toMarker, toPath } from '../../chaos/plan/build-pages.ts'
import { PAGES } from '../stack/open-stack.ts'

const PAGE_TEXTS = buildPages(PAGES)

/** A prompt with a script that replaces a page's marker, and the file that results. */
export function buildEdit(word: string, page: number): { prompt: string; title: string; files: Map<string, string> } {
  const [path, marker, text] = [toPath(page), toMarker(page), `The ${word} is described here.`]
  const title = `Describe the ${word}`
  const turns: ScriptTurn[] = [
    [{ text: `I look for the ${word}.` }, { tool: 'view', input: { path } }],
    [{ tool: 'edit', input: { path, old_str: marker, new_str: text } }],
    [{ tool: 'finish', input: { outcome: 'changed', title, body: `The page describes the ${word}.` } }],
  ]
  const before = PAGE_TEXTS.get(path) ?? ''
  return {
    prompt: scriptPrompt(`Describe the ${word}.`, turns, { id: word }),
    title,
    files: new Map([[path, before.replace(marker, text)]]),
  }
}

/** A prompt whose job ends without a change. */
export const buildEnding = (word: string, outcome: 'no_change' | 'needs_input' | 'impossible'): string =>
  scriptPrompt(`What about the ${word}?`, [[{ tool: 'finish', input: { outcome, reason: `About the ${word}.` } }]], {
    id: word,
  })

/** A prompt whose job edits until it is cancelled. */
export const buildEndless = (word: string): string =>
  scriptPrompt(`Wait for the ${word}.`, [[{ delay: 600_000 }, { text: 'Never said.' }]], { id: word })
