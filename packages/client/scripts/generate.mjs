// Generates src/generated from openapi.json. Usage: node scripts/generate.mjs [folder]
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { createClient } from '@hey-api/openapi-ts'

const here = path.dirname(fileURLToPath(import.meta.url))

/** Generates the fetch client in a folder, which is emptied first. */
export async function generate(folder) {
  const document = JSON.parse(await readFile(path.join(here, '../../../openapi.json'), 'utf8'))
  const temp = await mkdtemp(path.join(os.tmpdir(), 'corrigenda-client-'))
  try {
    const input = path.join(temp, 'openapi.json')
    await writeFile(input, JSON.stringify(keepJson(document)))
    await mkdir(folder, { recursive: true })
    await createClient({
      input,
      output: { path: folder, importFileExtension: '.ts', clean: true },
      plugins: ['@hey-api/client-fetch', '@hey-api/typescript', '@hey-api/sdk'],
      logs: { level: 'silent' },
    })
    // Disables type checks, because users may compile with stricter settings than the generated code
    // supports. Removes the generator's internal notes: comments that start with a word in capitals.
    for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue
      const file = path.join(entry.parentPath, entry.name)
      const text = (await readFile(file, 'utf8')).replace(/^[ \t]*\/\/ [A-Z]{4,}\b.*\n/gm, '')
      await writeFile(file, `// @ts-nocheck\n${text}`)
    }
  } finally {
    await rm(temp, { recursive: true, force: true })
  }
}

/**
 * Removes every media type except JSON, because the generator would turn each call that can also
 * return an event stream or a patch into a stream.
 */
function keepJson(document) {
  for (const methods of Object.values(document.paths)) {
    for (const operation of Object.values(methods)) {
      for (const { content } of Object.values(operation.responses)) {
        for (const type of Object.keys(content ?? {})) if (type !== 'application/json') delete content[type]
      }
    }
  }
  return document
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  await generate(process.argv[2] ?? path.join(here, '../src/generated'))
