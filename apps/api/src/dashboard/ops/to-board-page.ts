/**
 * The board's page from its template, without what a strict content security policy refuses: the link to fonts elsewhere, inline styles.
 * @param template HTML with `<%= name %>` and `<%- name %>` (as it is) in it
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
