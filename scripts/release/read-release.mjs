import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

export const ROOT = fileURLToPath(new URL('../..', import.meta.url))
export const REGISTRY = 'ghcr.io/corrigenda/corrigenda'

const read = (file) => readFile(path.join(ROOT, file), 'utf8')

/**
 * Returns the version of the repository. All packages except the libraries have the same one.
 * @param {string | null} tag the tag that is released, such as `v1.2.3`; null in a dry run
 */
export async function readVersion(tag = null) {
  const { version } = JSON.parse(await read('package.json'))
  if (tag !== null && tag !== `v${version}`)
    throw new Error(`The tag ${tag} does not match the version ${version} in package.json.`)
  return version
}

/**
 * Returns the section of a version in the changelog, without its heading.
 * @param {{ version: string, isDryRun: boolean }} input a dry run uses the unreleased section instead
 */
export async function readNotes({ version, isDryRun }) {
  const changelog = await read('CHANGELOG.md')
  const title = isDryRun && !changelog.includes(`## [${version}]`) ? 'Unreleased' : version
  const [, rest] = changelog.split(`## [${title}]`)
  if (rest === undefined) throw new Error(`CHANGELOG.md has no section for version ${version}.`)
  const notes = rest
    .slice(rest.indexOf('\n'))
    .split(/^## \[/m)[0]
    .trim()
  if (notes === '') throw new Error(`The section ${title} of CHANGELOG.md is empty.`)
  return `${notes}\n`
}

/** Returns a compose file that pulls the image of a version instead of building it. */
export async function buildComposeFile(version) {
  const image = `${REGISTRY}:${version}`
  const text = await read('docker-compose.yml')
  const pulled = text
    .replace(`\${CORRIGENDA_IMAGE:-corrigenda:local}`, `\${CORRIGENDA_IMAGE:-${image}}`)
    .replace(/^# {3}docker build .*\n/m, '')
    .replaceAll(' corrigenda:local ', ` ${image} `)
    .replace(' Only this service builds the image. The others use it.', '')
    .replace(/^ {4}build:\n(?: {6,}.*\n)+/m, '')
  if (/build:|corrigenda:local/.test(pulled)) throw new Error('docker-compose.yml has an unknown form of build.')
  return pulled
}
