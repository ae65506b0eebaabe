import { writeFile } from 'node:fs/promises'
import type { RunPoint } from '@corrigenda/worker'

/** A point that a run has reached. */
export interface Arrival {
  readonly point: RunPoint
  readonly runId: string
  readonly jobId: string
  readonly attempt: number
  readonly worker: string
  readonly pid: number
}

export type Order = 'go' | 'kill'

/** An event observed from outside the service. */
type Happening =
  | { readonly kind: 'accepted'; readonly job: string; readonly name: string; readonly tries: number }
  | { readonly kind: 'cancel'; readonly job: string; readonly status: number; readonly code: string | null }
  | { readonly kind: 'answer'; readonly method: string; readonly status: number; readonly code: string | null }
  | ({ readonly kind: 'point'; readonly order: Order } & Arrival)
  | { readonly kind: 'act'; readonly act: string; readonly target: string | null; readonly pid: number | null }
  | { readonly kind: 'start'; readonly process: string; readonly pid: number }
  | {
      readonly kind: 'exit'
      readonly process: string
      readonly pid: number
      readonly code: number | null
      readonly signal: string | null
      /** True if the exit was not requested. */
      readonly byItself: boolean
    }
  | { readonly kind: 'status'; readonly job: string; readonly from: string | null; readonly to: string }

/** `at`: milliseconds since the epoch. */
type Entry = { readonly at: number } & Happening

export interface History {
  readonly entries: readonly Entry[]
  add(happening: Happening): void
  /** Returns all entries of a kind, oldest first. */
  list<K extends Happening['kind']>(kind: K): Extract<Entry, { kind: K }>[]
  /** Writes the history as JSON lines. */
  save(file: string): Promise<void>
}

export function openHistory(): History {
  const entries: Entry[] = []
  return {
    entries,
    add: (happening) => void entries.push({ at: Date.now(), ...happening }),
    list: <K extends Happening['kind']>(kind: K) =>
      entries.filter((entry): entry is Extract<Entry, { kind: K }> => entry.kind === kind),
    save: (file) => writeFile(file, entries.map((entry) => `${JSON.stringify(entry)}\n`).join('')),
  }
}
