import { useSyncExternalStore } from 'react'

/** A job whose end this browser reports. */
export interface WatchedJob {
  readonly projectId: string
  readonly jobId: string
}

const NAME = 'corrigenda-watched-jobs'
/** Maximum number of watched jobs. The oldest one is dropped. */
const MAX_WATCHED = 50

const listeners = new Set<() => void>()
/** Used if the browser blocks storage. */
let unstored = '[]'
let parsed: { readonly text: string; readonly jobs: readonly WatchedJob[] } = { text: '[]', jobs: [] }

function read(): string {
  try {
    return localStorage.getItem(NAME) ?? '[]'
  } catch {
    return unstored
  }
}

/** Returns the same array until the list changes. */
function list(): readonly WatchedJob[] {
  const text = read()
  if (text !== parsed.text) parsed = { text, jobs: parse(text) }
  return parsed.jobs
}

function parse(text: string): WatchedJob[] {
  try {
    const all: unknown = JSON.parse(text)
    return Array.isArray(all) ? all.filter(isWatchedJob) : []
  } catch {
    return []
  }
}

const isWatchedJob = (one: unknown): one is WatchedJob =>
  one !== null &&
  typeof one === 'object' &&
  'projectId' in one &&
  typeof one.projectId === 'string' &&
  'jobId' in one &&
  typeof one.jobId === 'string'

function write(jobs: readonly WatchedJob[]): void {
  unstored = JSON.stringify(jobs)
  try {
    localStorage.setItem(NAME, unstored)
  } catch {
    // The browser blocks storage. The list lasts as long as the page.
  }
  for (const listener of listeners) listener()
}

export const watchJob = (job: WatchedJob): void =>
  write([...list().filter(({ jobId }) => jobId !== job.jobId), job].slice(-MAX_WATCHED))

/** @returns false if the job was not watched, for example because another tab has reported its end */
export function unwatchJob(jobId: string): boolean {
  const before = list()
  const after = before.filter((job) => job.jobId !== jobId)
  if (after.length === before.length) return false
  write(after)
  return true
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  // Sent when another tab changes the list.
  window.addEventListener('storage', listener)
  return () => {
    listeners.delete(listener)
    window.removeEventListener('storage', listener)
  }
}

/** Returns the jobs that this browser watches, oldest first. */
export const useWatchedJobList = (): readonly WatchedJob[] => useSyncExternalStore(subscribe, list)
