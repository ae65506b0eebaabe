import { type Html, html } from './html.ts'

/** A title is text, but for its code: as on GitHub. */
export function renderTitle(title: string): Html {
  const parts = title.split(/`([^`]+)`/)
  return html`${parts.map((part, i) => (i % 2 === 1 ? html`<code>${part}</code>` : part))}`
}
