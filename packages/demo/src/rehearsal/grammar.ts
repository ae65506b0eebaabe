import { maxTurns } from './finish-plan.ts'
import { rules } from './rules.ts'

/** The sentences that the rehearsal model understands, one per line. */
export const rehearsalGrammar = rules.map((rule) => rule.usage).join('\n')

/** Returns the text of GRAMMAR.md. */
export function buildGrammarPage(): string {
  const sections = rules.map((rule) => `### \`${rule.usage}\`\n\n${rule.does}\n\n\`\`\`text\n${rule.example}\n\`\`\`\n`)
  return `# The rehearsal model

A model for trying and testing the product without an API key. It is not an AI. It finds one of the sentences below in
the latest prompt and follows fixed rules, with the same tools, checks and pull request as a real model. Its ID is
\`rehearsal\`. Its texts state that no AI was used. Its token counts are estimates (four characters per token).

## Sentences

\`\`\`text
${rehearsalGrammar}
\`\`\`

The fixed words are not case-sensitive. Quotes may be straight or curly. The prompt may contain other text around the
sentence. If it contains several sentences, the model follows the first one. A PATH may omit \`.mdx\` or \`.md\`.

${sections.join('\n')}
## Otherwise

- Any other prompt ends as \`impossible\`, with the list above.
- A prompt with nothing to replace, move or fix ends as \`no_change\`, with the search text.
- \`add page\` without a title or a text ends as \`needs_input\`.
- After a rejected edit, the model recounts the occurrences in the file and retries the edit once. It reports a second rejection.
- The model stops after ${maxTurns} turns.
`
}
