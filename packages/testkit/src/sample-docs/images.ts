const INK = '#1d2226'
const TIDE = '#0b5f6b'
const FOAM = '#e4f1f2'

interface Box {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly label: string
}

const HEIGHT = 44

function drawBox({ x, y, width, label }: Box): string {
  return `  <rect x="${x}" y="${y}" width="${width}" height="${HEIGHT}" rx="8" fill="${FOAM}" stroke="${TIDE}"/>
  <text x="${x + width / 2}" y="${y + 27}" text-anchor="middle">${label}</text>`
}

function drawArrow(x1: number, y1: number, x2: number, y2: number): string {
  return `  <line x1="${x1}" y1="${y1}" x2="${x2}" y2="${y2}" stroke="${INK}" marker-end="url(#tip)"/>`
}

function drawDiagram(title: string, width: number, height: number, parts: readonly string[]): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" font-family="sans-serif" font-size="14" fill="${INK}">
  <title>${title}</title>
  <defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto"><path d="M0 0 8 4 0 8z" fill="${INK}"/></marker></defs>
${parts.join('\n')}
</svg>
`
}

/** Boxes in a row, each with an arrow to the next. */
function drawChain(title: string, labels: readonly string[]): string {
  const width = 128
  const gap = 44
  const boxes = labels.map((label, i) => drawBox({ x: 16 + i * (width + gap), y: 24, width, label }))
  const arrows = labels.slice(1).map((_, i) => {
    const start = 16 + width + i * (width + gap)
    return drawArrow(start + 4, 46, start + gap - 4, 46)
  })
  return drawDiagram(title, 32 + labels.length * (width + gap) - gap, 92, [...boxes, ...arrows])
}

function drawLogo(ink: string): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 168 32" role="img" font-family="sans-serif" font-size="20" font-weight="600">
  <title>Tidewater</title>
  <path d="M2 20c5-8 9-8 14 0s9 8 14 0" fill="none" stroke="${TIDE}" stroke-width="4" stroke-linecap="round"/>
  <text x="42" y="23" fill="${ink}">Tidewater</text>
</svg>
`
}

const favicon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">
  <rect width="32" height="32" rx="7" fill="${TIDE}"/>
  <path d="M4 18c4-7 8-7 12 0s8 7 12 0" fill="none" stroke="#fff" stroke-width="3" stroke-linecap="round"/>
</svg>
`

const deployment = drawDiagram('Two servers share a database; workers connect to either', 620, 200, [
  drawBox({ x: 16, y: 24, width: 128, label: 'Worker' }),
  drawBox({ x: 16, y: 132, width: 128, label: 'Worker' }),
  drawBox({ x: 246, y: 24, width: 128, label: 'Server (leads)' }),
  drawBox({ x: 246, y: 132, width: 128, label: 'Server' }),
  drawBox({ x: 476, y: 78, width: 128, label: 'PostgreSQL' }),
  drawArrow(148, 46, 242, 46),
  drawArrow(148, 154, 242, 154),
  drawArrow(378, 50, 472, 92),
  drawArrow(378, 150, 472, 108),
])

/** Images by path. */
export const images: Readonly<Record<string, string>> = {
  'images/favicon.svg': favicon,
  'images/logo-light.svg': drawLogo(INK),
  'images/logo-dark.svg': drawLogo('#f4f6f7'),
  'images/how-it-works.svg': drawChain('A schedule hands a run to a worker, and the worker reports back', [
    'Schedule',
    'Run',
    'Worker',
    'Result',
  ]),
  'images/concepts.svg': drawChain(
    'Jobs have schedules, schedules make runs, runs are executed by workers from a pool',
    ['Job', 'Schedule', 'Run', 'Worker', 'Pool'],
  ),
  'images/deployment.svg': deployment,
  'images/upgrade.svg': drawChain('The order of an upgrade', ['Convert', 'Server', 'Workers', 'Clean up']),
}
