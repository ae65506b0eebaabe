/** The HTML page. It loads only files from this service. */
export const INDEX_HTML = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Corrigenda API</title>
<link rel="icon" href="/reference/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/reference/swagger-ui.css">
<link rel="stylesheet" href="/reference/page.css">
<script src="/reference/color-scheme.js"></script>
</head>
<body>
<header id="bar"><strong>Corrigenda API</strong> <a id="back">Back to the dashboard</a></header>
<div id="page"></div>
<noscript><p>This page requires JavaScript. The same reference is available as <a href="/openapi.json">openapi.json</a>.</p></noscript>
<script src="/reference/swagger-ui-bundle.js"></script>
<script src="/reference/start.js"></script>
</body>
</html>
`

/**
 * Shows the document for this server. `?project=` in the URL fills in the project id. Disables the
 * external validator badge, other settings in the URL, and key storage.
 */
export const START_JS = `const project = new URLSearchParams(window.location.search).get('project')
const back = document.getElementById('back')
back.href = project === null ? '/' : '/projects/' + encodeURIComponent(project) + '/jobs'

function fillIn(spec) {
  spec.servers = [{ url: window.location.origin, description: 'This service' }]
  if (project === null) return spec
  for (const path of Object.values(spec.paths)) {
    for (const operation of Object.values(path)) {
      for (const parameter of operation.parameters || []) {
        if (parameter.in === 'path' && parameter.name === 'projectId') parameter.example = project
      }
    }
  }
  return spec
}

fetch('/openapi.json').then((response) => response.json()).then((spec) => {
  window.ui = SwaggerUIBundle({
    spec: fillIn(spec),
    dom_id: '#page',
    deepLinking: true,
    docExpansion: 'list',
    defaultModelsExpandDepth: 0,
    displayRequestDuration: true,
    persistAuthorization: false,
    queryConfigEnabled: false,
    tryItOutEnabled: false,
    validatorUrl: null,
    presets: [SwaggerUIBundle.presets.apis],
    layout: 'BaseLayout',
  })
})
`

/** The theme of the dashboard, which is on the same origin, or else of the operating system. */
export const COLOR_SCHEME_JS = `const dark = window.matchMedia('(prefers-color-scheme: dark)')
function readTheme() {
  try {
    return localStorage.getItem('corrigenda-theme')
  } catch {
    return null
  }
}
function follow() {
  const theme = readTheme()
  const isDark = theme === 'dark' || (theme !== 'light' && dark.matches)
  document.documentElement.classList.toggle('dark-mode', isDark)
}
dark.addEventListener('change', follow)
window.addEventListener('storage', follow)
follow()
`

/** The colors are those of the dashboard. */
export const PAGE_CSS = `html { box-sizing: border-box; overflow-y: scroll; color-scheme: light; }
html.dark-mode { color-scheme: dark; }
*, *::before, *::after { box-sizing: inherit; }
body { margin: 0; background: #fbfaf7; color: #1b1f27; font-family: system-ui, sans-serif; }
html.dark-mode body { background: #101215; color: #edebe7; }
#bar { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: 8px 24px;
  max-width: 1460px; margin: 0 auto; padding: 8px 20px; border-bottom: 1px solid #e0deda; }
#bar a { display: inline-flex; align-items: center; min-height: 44px; color: #145ec1; }
html.dark-mode #bar { border-color: #2a2e34; }
html.dark-mode #bar a { color: #75aef5; }
#page .swagger-ui, #page .swagger-ui .info .title, #page .swagger-ui .opblock-tag, #page .swagger-ui button,
#page .swagger-ui .opblock .opblock-summary-description, #page .swagger-ui table { font-family: system-ui, sans-serif; }
html.dark-mode .swagger-ui .examples-select__section-label { color: #e4e6e6; }
summary { cursor: pointer; }
/* The document has no links between operations. */
.swagger-ui .response-col_links { display: none; }
@media (max-width: 640px) {
  #page .info table { display: block; overflow-x: auto; }
  #page code { overflow-wrap: anywhere; }
}
`

export const ICON_SVG = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#1f4b3f"/><path d="M9 22 21 10l3 3-12 12H9z" fill="#fff"/></svg>
`
