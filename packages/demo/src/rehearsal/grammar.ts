import { maxTurns } from './finish-plan.ts'
import { rules } from './rules.ts'

/** The sentences that the rehearsal model understands, one per line. */
export const rehearsalGrammar = rules.map((rule) => rule.usage).join('\n')

/** Returns the text of GRAMMAR.md. */
export function buildGrammarPage(): string {
  const sections = rules.map((rule) => `### \`${rule.usage}\`\n\n${rule.does}\n\n\`\`\`text\n${rule.example}\n\`\`\`\n`)
  return `# The rehearsal model

A model for trying the product out without a key, and for testing it. It is no AI: it finds one of the sentences below in
the newest prompt and follows fixed rules, through the same tools, checks and pull request as a real model. Its id is
\`rehearsal\`; everything it writes says that no AI was used; its token counts are estimates (four characters each).

## Sentences

\`\`\`text
${rehearsalGrammar}
\`\`\`

Upper and lower case are the same in the fixed words. Quotes may be straight or curly. Other text may stand around the
sentence; where several stand in a prompt, the first is followed. A PATH may leave out \`.mdx\` or \`.md\`.

${sections.join('\n')}
## Otherwise

- Any other prompt ends as \`impossible\`, with the list above.
- Nothing to replace, to move or to fix ends as \`no_change\`, with what was searched.
- \`add page\` without a title or a text ends as \`needs_input\`.
- A refused edit is counted again in the file and tried once more; what is refused then is reported.
- It gives up after ${maxTurns} turns.
`
}
