import { SUGGESTED_PROMPTS } from '@corrigenda/contracts'
import { maxTurns } from './finish-plan.ts'
import { rules } from './rules.ts'

/** The exact sentences that the rehearsal model follows, one per line. */
export const rehearsalGrammar = rules.map((rule) => rule.usage).join('\n')

const OUTCOMES = { changed: 'a pull request', needs_input: 'a question', no_changes: 'an answer, without a change' }

/** Returns the text of GRAMMAR.md. */
export function buildGrammarPage(): string {
  const sections = rules.map((rule) => `### \`${rule.usage}\`\n\n${rule.does}\n\n\`\`\`text\n${rule.example}\n\`\`\`\n`)
  const examples = SUGGESTED_PROMPTS.map(({ prompt, outcome }) => `- \`${prompt}\`: ${OUTCOMES[outcome]}`)
  return `# The rehearsal model

The rehearsal model lets you try and test the product without an API key. It is not an AI. It
recognizes a request by its words and follows fixed rules, with the same tools, checks and pull
request as a real model. Its model ID is \`rehearsal\`. Its output states that no AI was used. Its
token counts are estimates (four characters per token).

## Examples

These prompts work in the sample repository:

${examples.join('\n')}

## What it recognizes

The words and their order can differ, small typing mistakes do not matter, and names can have any
quotes or none. Pages can be named by path, by file name or by words of their title.

- Typos and doubled words, on all pages or on one. A list contains the misspellings.
- Broken links.
- Flags and commands of the code that the documentation lacks, and defaults that differ from the code.
- Values that changed, such as a timeout or the default of a flag. Only lines that name the setting
  are changed.
- Recent commits: new flags and renamed commands.
- Renames and replacements, everywhere or on some pages. Release notes and AGENTS.md stay unchanged.
- New pages. Their text is in the prompt, or is collected from the pages about the topic.
- Moved, renamed and deleted pages, changed titles, and removed sections.
- New sections, notes, sentences and links on a page.
- Entries in the release notes, from the prompt or from recent commits.
- The copyright year.
- Questions about the documentation, which are answered without a change.

## Exact sentences

\`\`\`text
${rehearsalGrammar}
\`\`\`

These sentences leave nothing to interpretation. The fixed words are not case-sensitive. Quotes can
be straight or curly. The prompt can contain other text around the sentence. If it contains several
sentences, the model follows the first one. A PATH can omit \`.mdx\` or \`.md\`. The examples work in
the sample repository.

${sections.join('\n')}
## Other results

- A prompt that is not understood, and one that requires writing or translating, ends with
  the outcome \`rehearsal\` and the examples above.
- A vague prompt, a page that does not exist, and a fact that no source contains lead to a question
  (\`needs_input\`).
- A prompt with nothing to replace, move or fix ends as \`no_changes\`.
- After a rejected edit, the model recounts the occurrences in the file and retries the edit once.
  If the edit is rejected again, the model reports this.
- The model stops after ${maxTurns} turns.
`
}
