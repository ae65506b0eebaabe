import type { Setting } from './list-settings.ts'
import { SETTING_TEXTS, type SettingText } from './texts.ts'

const WIDTH = 100
/** Settings that `docker-compose.yml` sets to fixed values, which `.env` cannot change. */
export const OF_COMPOSE = ['DATABASE_URL', 'DATABASE_DIRECT_URL', 'REDIS_URL', 'HOST', 'CACHE_DIR', 'HEALTH_PORT']
/** Settings without a comment sign in `.env.example`. */
export const ACTIVE = ['CORRIGENDA_SECRET', 'POSTGRES_PASSWORD', 'ANTHROPIC_API_KEY', 'GITHUB_TOKEN']

/** Replaces the lists between `<!-- settings: SECTION -->` and `<!-- /settings -->`. */
export function renderDocument(document: string, settings: ReadonlyMap<string, Setting>): string {
  return document.replace(/(<!-- settings: (.+) -->\n)[\s\S]*?(<!-- \/settings -->)/g, (_all, start, section, end) => {
    const bullets = Object.entries(getSection(section)).map(([name, text]) => toBullet(get(settings, name), text))
    return `${start}\n${bullets.join('\n')}\n\n${end}`
  })
}

function toBullet(setting: Setting, { text, otherwise }: SettingText): string {
  const readers = setting.readers.join(', ')
  const parts = [text, ...toRange(setting.values)]
  const fallback = otherwise ?? (setting.default === null ? (setting.required ? null : 'none') : toCode(setting))
  if (fallback !== null && !(otherwise === undefined && text.includes('Default:'))) parts.push(`Default: ${fallback}.`)
  if (OF_COMPOSE.includes(setting.name)) parts.push('Compose sets it.')
  return wrap(`- \`${setting.name}\` (${readers}): ${parts.join(' ')}`, '  ')
}

const toCode = ({ default: value, values }: Setting): string =>
  values !== null && !isList(values) ? group(Number(value)) : `\`${value}\``

function toRange(values: Setting['values']): string[] {
  if (values === null) return []
  if (isList(values)) return [`Values: ${values.map((one) => `\`${one}\``).join(', ')}.`]
  const { min, above, max } = values
  if (above !== undefined) return [`More than ${group(above)}.`]
  return min === undefined || max === undefined ? [] : [`${group(min)} to ${group(max)}.`]
}

const isList = (values: NonNullable<Setting['values']>): values is readonly string[] => Array.isArray(values)
const group = (value: number): string => (value < 10_000 ? String(value) : value.toLocaleString('en-US'))

/** Writes the file that users copy to `.env`. */
export function renderExample(settings: ReadonlyMap<string, Setting>): string {
  const sections = Object.entries(SETTING_TEXTS).map(([title, entries]) => {
    const lines = Object.entries(entries).map(([name, text]) => toExample(get(settings, name), text))
    return `# --- ${title} ${'-'.repeat(WIDTH - 7 - title.length)}\n\n${lines.join('\n')}\n`
  })
  return `${HEAD}\n${sections.join('\n')}`
}

const HEAD = `# Corrigenda settings. "corrigenda init" writes a .env with generated secrets. Or copy this file to
# .env and set the values in the first section. All other settings have defaults.
# Without Compose, set these settings as environment variables. NAME_FILE can be set to the path of
# a file that contains the value.
`

function toExample(setting: Setting, { text, otherwise }: SettingText): string {
  const { name, default: value } = setting
  const parts = [toPlain(text), ...toRange(setting.values).map(toPlain)]
  if (OF_COMPOSE.includes(name)) parts.push('Compose sets it.')
  else if (otherwise !== undefined) parts.push(`Default: ${toPlain(otherwise)}.`)
  return `${wrap(`# ${parts.join(' ')}`, '# ')}\n${ACTIVE.includes(name) ? '' : '#'}${name}=${value ?? ''}`
}

/** Removes Markdown, and turns links between documents into paths. */
const toPlain = (text: string): string =>
  text
    .replace(/\[([^\]]+)\]\(([^)#]+)(?:#[^)]*)?\)/g, (_all, words: string, file: string) => `${words} (docs/${file})`)
    .replaceAll('`', '')

function wrap(text: string, indent: string): string {
  const lines: string[] = []
  let line = ''
  // Code and links are not broken across lines.
  for (const word of text.match(/(?:\[[^\]]*\]\([^)]*\)|[^\s`]|`[^`]*`)+/g) ?? []) {
    if (line !== '' && line.length + 1 + word.length > WIDTH) {
      lines.push(line)
      line = indent + word
    } else line = line === '' ? word : `${line} ${word}`
  }
  return [...lines, line].join('\n')
}

export function getSection(title: string): Readonly<Record<string, SettingText>> {
  const section = SETTING_TEXTS[title]
  if (!section) throw new Error(`scripts/settings/texts.ts has no section ${title}.`)
  return section
}

function get(settings: ReadonlyMap<string, Setting>, name: string): Setting {
  const setting = settings.get(name)
  if (!setting) throw new Error(`No program reads ${name}. Remove it from scripts/settings/texts.ts.`)
  return setting
}
