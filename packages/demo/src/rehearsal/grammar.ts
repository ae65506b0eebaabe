import { maxTurns } from './finish-plan.ts'
import { rules } from './rules.ts'

/** The sentences that the rehearsal model understands, one per line. */
export const rehearsalGrammar = rules.map((rule) => rule.usage).join('\n')

/** Returns the text of GRAMMAR.md. */
export function buildGrammarPage(): string {
  const sections = rules.map((rule) => `### \`${rule.usage}\`\n\n${rule.does}\n\n\`\`\`text\n${rule.example}\n\`\`\`\n`)
  return `# The rehearsal model

The rehearsal model lets you try and test the product without an API key. It is not an AI. It finds
one of the sentences below in the latest prompt and follows fixed rules, with the same tools, checks
and pull request as a real model. Its model ID is \`rehearsal\`. Its output states that no AI was
used. Its token counts are estimates (four characters per token).

## Sentences

\`\`\`text
${rehearsalGrammar}
\`\`\`

The fixed words are not case-sensitive. Quotes can be straight or curly. The prompt can contain
other text around the sentence. If it contains several sentences, the model follows the first one. A
PATH can omit \`.mdx\` or \`.md\`. The examples work in the sample repository.

${sections.join('\n')}
## Other results

- Any other prompt ends as \`impossible\`, with three prompts that work in the sample repository.
- A flag that no source defines, or that several commands have, ends as \`needs_input\`.
- A prompt with nothing to replace, move or fix ends as \`no_changes\`.
- \`add page\` without a title or text ends as \`needs_input\`.
- After a rejected edit, the model recounts the occurrences in the file and retries the edit once.
  If the edit is rejected again, the model reports this.
- The model stops after ${maxTurns} turns.
`
}
