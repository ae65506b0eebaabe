/** The HTML page. It loads only files from this service. */
export const INDEX_HTML = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Corrigenda API</title>
<link rel="icon" href="reference/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="reference/swagger-ui.css">
<link rel="stylesheet" href="reference/page.css">
<script src="reference/color-scheme.js"></script>
</head>
<body>
<div id="page"></div>
<noscript><p>This page requires JavaScript. The same reference is available as <a href="openapi.json">openapi.json</a>.</p></noscript>
<script src="reference/swagger-ui-bundle.js"></script>
<script src="reference/start.js"></script>
</body>
</html>
`

/** Disables the external validator badge, settings in the URL and key storage. */
export const START_JS = `window.ui = SwaggerUIBundle({
  url: 'openapi.json',
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
`

export const COLOR_SCHEME_JS = `const dark = window.matchMedia('(prefers-color-scheme: dark)')
const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches)
dark.addEventListener('change', follow)
follow()
`

export const PAGE_CSS = `html { box-sizing: border-box; overflow-y: scroll; }
*, *::before, *::after { box-sizing: inherit; }
body { margin: 0; background: #fff; }
html.dark-mode body { background: #1c2022; }
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
