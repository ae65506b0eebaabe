import { Evidence } from '@corrigenda/contracts'
import { z } from 'zod'
import type { Grader } from './grader.ts'
import { OUTCOMES } from './outcome.ts'
import { FAMILIES, type Task } from './task.ts'

const text = z.string().min(1)
const path = z.string().min(1).max(500)
const kind = <K extends Grader['kind']>(name: K) => z.literal(name)
const pattern = text.refine(isPattern, 'must be a regular expression')
const count = z.int().min(0)

const GraderSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: kind('outcome'), is: z.array(z.enum(OUTCOMES)).min(1) }),
  z.strictObject({ kind: kind('nothing-changed') }),
  z.strictObject({ kind: kind('only-changed'), in: z.array(path) }),
  z.strictObject({ kind: kind('contains'), path, text, times: count.optional() }),
  z.strictObject({ kind: kind('lacks'), in: path, text }),
  z.strictObject({
    kind: kind('matches'),
    path,
    pattern,
    ignoreCase: z.boolean().optional(),
    not: z.boolean().optional(),
  }),
  z.strictObject({ kind: kind('count'), in: path, text, is: count }),
  z.strictObject({ kind: kind('exists'), path }),
  z.strictObject({ kind: kind('missing'), path }),
  z.strictObject({ kind: kind('moved'), path, to: path, keeps: z.number().min(0).max(1).optional() }),
  z.strictObject({ kind: kind('same-as-gold'), path }),
  z.strictObject({ kind: kind('untouched'), in: path }),
  z.strictObject({ kind: kind('rest-untouched'), path, slack: count.optional() }),
  z.strictObject({ kind: kind('code-untouched'), path }),
  z.strictObject({ kind: kind('small-diff'), times: z.number().positive(), plus: count.optional() }),
  z.strictObject({ kind: kind('file-overlap'), min: z.number().min(0).max(1) }),
  z.strictObject({ kind: kind('in-navigation'), file: path, page: text, group: text.optional() }),
  z.strictObject({ kind: kind('not-in-navigation'), file: path, page: text }),
  z.strictObject({ kind: kind('navigation-kept'), file: path }),
  z.strictObject({ kind: kind('no-links-to'), page: path }),
  z.strictObject({ kind: kind('linked-from'), page: path, from: path, times: z.int().min(1).optional() }),
  z.strictObject({ kind: kind('redirect'), file: path, from: text, to: text }),
  z.strictObject({
    kind: kind('front-matter'),
    path,
    keys: z.record(z.string(), z.string().nullable()),
    only: z.boolean().optional(),
  }),
  z.strictObject({ kind: kind('encoding'), path, eol: z.enum(['lf', 'crlf']), bom: z.boolean() }),
  z.strictObject({ kind: kind('no-new-problems') }),
  z.strictObject({
    kind: kind('says'),
    where: z.enum(['title', 'body', 'reason']),
    pattern,
    not: z.boolean().optional(),
  }),
  z.strictObject({ kind: kind('good-words') }),
  z.strictObject({
    kind: kind('evidence'),
    page: path,
    lines: z.array(z.strictObject({ source: text, path, text })).min(1),
  }),
  z.strictObject({ kind: kind('no-passages') }),
])

const StepSchema = z.discriminatedUnion('do', [
  z.strictObject({ do: z.literal('edit'), path, old: text, new: z.string(), times: z.int().min(1).optional() }),
  z.strictObject({ do: z.literal('write'), path, text: z.string() }),
  z.strictObject({ do: z.literal('move'), path, to: path }),
  z.strictObject({ do: z.literal('delete'), path }),
])

const EndingSchema = z.strictObject({
  outcome: z.enum(OUTCOMES),
  title: z.string().optional(),
  body: z.string().optional(),
  reason: z.string().optional(),
  evidence: z.array(Evidence).optional(),
})

const SolutionSchema = z.strictObject({ steps: z.array(StepSchema), ending: EndingSchema })

const SourceSchema = z.strictObject({
  name: z.string().regex(/^[a-z][a-z0-9-]*$/),
  visibility: z.enum(['private', 'public']),
  paths: z.array(text).optional(),
  commits: z
    .array(z.strictObject({ message: text, daysAgo: count, files: z.record(path, z.string().nullable()) }))
    .min(1),
})

const TaskSchema = z.strictObject({
  id: z.string().regex(/^[a-z0-9-]+\/[a-z0-9-]+$/, 'must be family/name in lowercase letters, digits and dashes'),
  family: z.enum(FAMILIES),
  split: z.enum(['train', 'held-out']),
  repository: z.union([
    z.strictObject({ site: text }),
    z.strictObject({
      url: z.url(),
      commit: z.string().regex(/^[0-9a-f]{40}$/, 'must be a commit id of 40 hexadecimal digits'),
    }),
  ]),
  overlay: z.record(path, z.string().nullable()).optional(),
  sources: z.array(SourceSchema).min(1).optional(),
  prompt: text,
  earlier: text.optional(),
  policy: z.strictObject({ writable: z.array(text).optional(), deny: z.array(text).optional() }).optional(),
  graders: z.array(GraderSchema).min(1),
  gold: SolutionSchema,
  spoiled: z.array(SolutionSchema.extend({ how: text })).default([]),
  opposite: SolutionSchema,
})

/** A task file, which contains a JSON list. */
export const TaskFile = z
  .array(TaskSchema)
  .min(1)
  .refine((tasks) => new Set(tasks.map(({ id }) => id)).size === tasks.length, 'two tasks have the same id')

/** Converts validated tasks. Absent keys stay absent. */
export function toTasks(value: z.infer<typeof TaskFile>): Task[] {
  return JSON.parse(JSON.stringify(value)) as Task[]
}

function isPattern(source: string): boolean {
  try {
    new RegExp(source)
    return true
  } catch {
    return false
  }
}
