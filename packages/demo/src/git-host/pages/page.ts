import { type Html, html } from './html.ts'
import { STYLES } from './styles.ts'

/**
 * Headers of all pages. The pages contain only text and styles. They run no scripts, load no
 * resources, submit no forms and cannot be framed.
 */
export const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
} as const

export interface Page {
  readonly title: string
  /** Breadcrumbs from the list of repositories to this page. The last one is the page itself. */
  readonly trail: readonly { readonly label: string; readonly href: string }[]
  readonly content: Html
}

const styleElement: Html = { markup: `<style>${STYLES}</style>` }

export function renderPage({ title, trail, content }: Page): string {
  const steps = trail.map(
    (step, i) => html`${i > 0 ? html` <span class="muted">/</span> ` : null}<a href="${step.href}">${step.label}</a>`,
  )
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
${styleElement}
</head>
<body>
<header><div><nav aria-label="Breadcrumb">${steps}</nav><span class="note">Local Git host</span></div></header>
<main>
${content}
</main>
<footer>This is Corrigenda's local Git host. It runs on this machine and sends no data to other services.</footer>
</body>
</html>
`.markup
}

/** Renders a time in UTC. */
export function renderTime(iso: string): Html {
  const [day = '', time = ''] = new Date(iso).toISOString().split('T')
  return html`<time datetime="${iso}">${day} ${time.slice(0, 5)} UTC</time>`
}
