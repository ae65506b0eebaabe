import { type Html, html } from './html.ts'

/** Renders a title as text with inline code, as GitHub does. */
export function renderTitle(title: string): Html {
  const parts = title.split(/`([^`]+)`/)
  return html`${parts.map((part, i) => (i % 2 === 1 ? html`<code>${part}</code>` : part))}`
}
