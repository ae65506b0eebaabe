/**
 * Unsent text and unsaved fields, kept in this browser until they are sent, discarded, or the user
 * signs out. Each draft belongs to one user.
 */
const PREFIX = 'corrigenda-draft:'

export interface DraftKey {
  readonly userId: string
  /** Id of the project, and what is drafted in it, such as `new-job`. */
  readonly projectId: string
  readonly name: string
}

const toName = ({ userId, projectId, name }: DraftKey) => `${PREFIX}${userId}:${projectId}:${name}`

/** Returns the stored draft, which an older version may have written, or null. */
export function findDraft(key: DraftKey): unknown {
  try {
    return JSON.parse(localStorage.getItem(toName(key)) ?? 'null')
  } catch {
    return null
  }
}

/** Stores a draft. Null removes it. */
export function keepDraft(key: DraftKey, value: unknown): void {
  try {
    if (value === null) localStorage.removeItem(toName(key))
    else localStorage.setItem(toName(key), JSON.stringify(value))
  } catch {
    // The browser blocks storage, or it is full. The draft lasts until the page is closed.
  }
}

/** Removes all drafts, except those of this user. */
export function forgetDrafts(except: string | null = null): void {
  try {
    for (const name of Object.keys(localStorage)) {
      const isKept = except !== null && name.startsWith(`${PREFIX}${except}:`)
      if (name.startsWith(PREFIX) && !isKept) localStorage.removeItem(name)
    }
  } catch {
    // The browser blocks storage, so there are no drafts.
  }
}
