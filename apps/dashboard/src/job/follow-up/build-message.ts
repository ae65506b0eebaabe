import { describeRange } from '../changes/line-range.ts'
import type { LineComment } from '../memory/job-memory.ts'

/** Returns the follow-up's prompt: the text, then each comment with its file, lines and their text. */
export function buildMessage(text: string, comments: readonly LineComment[]): string {
  const written = comments.filter((comment) => comment.text.trim() !== '')
  const parts = written.map((comment) => {
    const { path, quote } = comment
    return [
      `${path}, ${describeRange(comment)}:`,
      quote.map((line) => `> ${line}`.trimEnd()).join('\n'),
      comment.text.trim(),
    ]
      .filter((part) => part !== '')
      .join('\n\n')
  })
  const title = written.length === 0 ? [] : ['Comments on your changes:']
  return [text.trim(), ...title, ...parts].filter((part) => part !== '').join('\n\n')
}
