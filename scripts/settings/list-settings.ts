import os from 'node:os'
import { z } from 'zod'
import { Settings as ApiSettings } from '../../apps/api/src/http/settings.ts'
import { Settings as CommandSettings } from '../../apps/cli/src/environment/with-database-access.ts'
import { Settings as WorkerSettings } from '../../apps/worker/src/config/settings.ts'

export interface Setting {
  readonly name: string
  /** The programs that read it. */
  readonly readers: readonly string[]
  readonly required: boolean
  /** Default in the format of the environment variable. Null for a setting without a default. */
  readonly default: string | null
  /** Allowed values. */
  readonly values: readonly string[] | { readonly min?: number; readonly above?: number; readonly max?: number } | null
}

const PROGRAMS = { API: ApiSettings, worker: WorkerSettings, commands: CommandSettings }

/** Lists the settings of all programs, and those that only `docker-compose.yml` reads. */
export function listSettings(compose: string): Map<string, Setting> {
  const settings = new Map<string, Setting>()
  for (const [program, { shape }] of Object.entries(PROGRAMS)) {
    for (const [name, schema] of Object.entries(shape)) {
      const known = settings.get(name)
      // Commands also read the settings of the services that they share the database with.
      const readers = program === 'commands' && known?.readers.length === 2 ? [] : [program]
      const own = toSetting(name, schema as z.ZodType)
      const merged = { ...own, default: own.default ?? known?.default ?? null, required: own.required }
      settings.set(name, { ...merged, readers: [...(known?.readers ?? []), ...readers] })
    }
  }
  for (const [, name = '', value = ''] of compose.matchAll(/\$\{([A-Z][A-Z0-9_]*):?[-?]([^}]*)\}/g)) {
    if (settings.has(name)) continue
    const required = compose.includes(`\${${name}:?`)
    settings.set(name, { name, readers: ['Compose'], required, default: required ? null : value, values: null })
  }
  return settings
}

function toSetting(name: string, schema: z.ZodType): Omit<Setting, 'readers'> {
  const required = !schema.safeParse(undefined).success
  const fallback = schema instanceof z.ZodDefault ? toText(schema.def.defaultValue) : null
  return { name, required, default: fallback, values: toValues(schema) }
}

function toText(value: unknown): string | null {
  if (typeof value === 'boolean') return value ? 'on' : 'off'
  if (Array.isArray(value)) return value.length === 0 ? null : value.join(',')
  // Not the temporary folder of this machine.
  return typeof value === 'object' ? null : String(value).replace(os.tmpdir(), '/tmp')
}

function toValues(schema: z.ZodType): Setting['values'] {
  const json = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
  if (Array.isArray(json.enum)) return json.enum.map(String)
  const { minimum, exclusiveMinimum, maximum } = json
  if (json.type !== 'number' && json.type !== 'integer') return null
  return {
    ...(minimum === undefined ? {} : { min: minimum }),
    ...(exclusiveMinimum === undefined ? {} : { above: exclusiveMinimum }),
    ...(maximum === undefined ? {} : { max: maximum }),
  }
}
