import { createHash } from 'node:crypto'

const STYLE = `:root { color-scheme: light dark }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 34rem; margin: 15vh auto; padding: 0 1rem }
button { font: inherit; padding: .5rem 1rem; cursor: pointer }`

/**
 * A page that is not part of the dashboard, because the dashboard's content security policy forbids
 * submitting forms to other hosts.
 */
interface StartPage {
  readonly html: string
  /** Content security policy that allows only the form submission to the Git host. */
  readonly policy: string
}

/** Builds the page that posts the manifest to the Git host: one button, no script. */
export function buildStartPage({ action, manifest }: { action: string; manifest: string }): StartPage {
  const { origin, host } = new URL(action)
  const style = `'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`
  return {
    policy: `default-src 'none'; style-src ${style}; form-action ${origin}; base-uri 'none'; frame-ancestors 'none'`,
    html: `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Create GitHub App</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>Create GitHub App</h1>
<p>${toHtml(host)} asks for a name and creates the app for this service. The app's keys are saved here automatically. Then install the app on your repositories.</p>
<form method="post" action="${toHtml(action)}">
<input type="hidden" name="manifest" value="${toHtml(manifest)}">
<button type="submit">Continue to ${toHtml(host)}</button>
</form>
<p><a href="/ops">Back to Operations</a></p>
</main>
</body>
</html>
`,
  }
}

const toHtml = (text: string): string => text.replace(/[&<>"']/g, (mark) => `&#${mark.charCodeAt(0)};`)
