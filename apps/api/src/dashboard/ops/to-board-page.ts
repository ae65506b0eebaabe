/**
 * Renders the board's page from its template. Removes the parts that a strict content security
 * policy blocks: the link to external fonts, and inline styles.
 * @param template HTML with `<%= name %>` and `<%- name %>` (unescaped) placeholders
 */
export function toBoardPage(template: string, values: Readonly<Record<string, unknown>>): string {
  const filled = template.replace(/<%([=-])\s*(\w+)\s*%>/g, (_all, kind: string, name: string) => {
    const text = String(values[name] ?? '')
    return kind === '=' ? escapeHtml(text) : text
  })
  return filled
    .replace(/<link\b[^>]*\bhref="(?:https?:)?\/\/[^>]*>/g, '')
    .replace(/<style\b[\s\S]*?<\/style>/g, '')
    .replace(/ style="[^"]*"/g, '')
}

const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
