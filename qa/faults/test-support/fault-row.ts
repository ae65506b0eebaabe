import { readdirSync } from 'node:fs'
import path from 'node:path'
import { CreateAgentJobRequest } from '@corrigenda/contracts'
import type { FaultKind, ScriptTurn } from '@corrigenda/testkit'
import { z } from 'zod'
import { QA_FOLDER, readYaml } from '../../read-yaml.ts'
import { Act, Times } from './act.ts'

const text = z.string().min(1)
const count = z.int().min(0)
const seconds = z.array(count).default([])

/** The job's expected result. Without a failure code, it completes with a change. */
const Expectation = z.strictObject({
  code: text.nullable().default(null),
  /** Pattern for the failure message. */
  message: text.transform((source) => new RegExp(source)).optional(),
  /** Waits that a server requested, in seconds and in order. They use no attempt. */
  waits: seconds,
  /** Waits that the service chose after errors. Each one uses an attempt. */
  retries: seconds,
  /** Final number of pull requests. Default: 1 if the job completes, otherwise 0. */
  pulls: count.optional(),
  /** True if the job's branch reaches the host. Default: true if the job completes. */
  pushed: z.boolean().optional(),
  /** Number of conversations with the model. */
  conversations: count.default(1),
  /** Number of model calls that received the fault. */
  modelFaults: count.optional(),
  /** Minimum time between a faulty response and the next retry, in ms. */
  spacingMs: count.optional(),
})

const scenario = z.strictObject({
  id: text.regex(/^[a-z0-9-]+$/, 'must be lowercase letters, digits and dashes'),
  /** Fault of the model API in the second turn, or in the first one if `first` is set. See `FaultKind` of testkit. */
  model: z.looseObject({ kind: text, times: Times.default(1) }).optional(),
  first: z.boolean().default(false),
  /** Turns of the model instead of one view and one edit. See `ScriptTurn` of testkit. */
  turns: z.array(z.array(z.looseObject({}))).optional(),
  /** Done before the job, during the last turn before the model finishes, and during the first wait. */
  arrange: z.array(Act).default([]),
  duringAgent: z.array(Act).default([]),
  duringWait: z.array(Act).default([]),
  /** Fields of the request that creates the job. */
  request: CreateAgentJobRequest.partial().default({}),
  /** `empty` has no commits, `missing` does not exist, and no server listens at the address of `closed`. */
  repository: z.enum(['empty', 'missing', 'closed']).optional(),
  /** The project has a source `api` with code, without commits, or that does not exist. */
  source: z.enum(['code', 'empty', 'missing']).optional(),
  /** Attempts and requested waits that the run has already used, which shortens the tests of outages. */
  attemptsUsed: count.default(0),
  waitsUsed: count.default(0),
  expect: Expectation.prefault({}),
})

/** A fault and the job's expected result. */
export type FaultScenario = Omit<z.infer<typeof scenario>, 'model' | 'turns'> & {
  readonly model?: FaultKind & { readonly times: number }
  readonly turns?: readonly ScriptTurn[]
}

/** @throws ZodError */
export const toScenario = (input: z.input<typeof scenario>): FaultScenario =>
  // The servers of testkit check the kinds of faults and turns.
  scenario.parse(input) as unknown as FaultScenario

const FaultRow = scenario
  .extend({
    /** Completes "when …". Starts in lower case, without a period. */
    title: text,
    /** Corrigenda's reaction to the fault, in full sentences. */
    reaction: text,
    /** Answers the question "Retry the job?". */
    advice: text.optional(),
    /** Requires a worker with short Git host deadlines and retry delays. */
    impatient: z.boolean().default(false),
    /** No server listens at the address of the model API. */
    unreachable: z.boolean().default(false),
    /** Also runs with the queue on Postgres. */
    both: z.boolean().default(false),
  })
  .refine(({ advice, expect }) => (advice !== undefined) === (expect.code !== null), {
    path: ['advice'],
    message: 'is required for a job that fails, and only for such a job',
  })

/** A scenario that docs/failures.md documents under its id. */
export type FaultRow = FaultScenario & Omit<z.infer<typeof FaultRow>, keyof z.infer<typeof scenario>>

const Area = z.strictObject({
  heading: text,
  /** Markdown below the heading in docs/failures.md. */
  notes: z.array(text),
  rows: z.array(FaultRow),
})

interface FaultArea {
  /** Name of the file, such as `git-push`. */
  readonly name: string
  readonly heading: string
  readonly notes: readonly string[]
  readonly rows: readonly FaultRow[]
}

const FOLDER = path.join(QA_FOLDER, 'faults/rows')

/** The sections of docs/failures.md with their rows, from the files in `qa/faults/rows`. */
export const AREAS: readonly FaultArea[] = readdirSync(FOLDER)
  .sort()
  .map((file) => ({
    name: path.parse(file).name.replace(/^\d+-/, ''),
    ...(readYaml(path.join(FOLDER, file), Area) as unknown as Omit<FaultArea, 'name'>),
  }))
