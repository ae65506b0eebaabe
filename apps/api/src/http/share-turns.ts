import type { EndTurn, Turns } from './open-turns.ts'

/** Maximum number of requests that share a turn. */
const SHARING = 100

/** Waits for a turn that other requests of the owner share. Returns the function that ends it. */
export type JoinTurn = (owner: string) => Promise<() => void>

interface Group {
  readonly started: Promise<void>
  /** Number of requests that have joined. */
  joined: number
  /** Number of requests that have joined and not ended. */
  members: number
  /** A member ends its part of the turn. */
  leave(): void
}

interface Owner {
  /** Number of requests that wait for a turn. */
  waiting: number
  /** The group that further requests join. */
  group: Group
}

/**
 * Lets the requests of one owner that wait at the same time share a turn, because they also share
 * the statement that they need the turn for. The turn ends when all of them have ended.
 * @param limits.waitingPerOwner maximum number of waiting requests of one owner
 * @param limits.refuse returns the error for further requests
 */
export function shareTurns(turns: Turns, limits: { waitingPerOwner: number; refuse: () => Error }): JoinTurn {
  const owners = new Map<string, Owner>()

  const open = (name: string): Group => {
    let endTurn: EndTurn = () => {}
    const begin = async (): Promise<void> => {
      // After the requests that have arrived at the same time.
      await new Promise(setImmediate)
      try {
        endTurn = await turns.take(name)
      } finally {
        const owner = owners.get(name)
        if (owner) owner.waiting -= group.members
        if (owner?.group === group) owners.delete(name)
      }
    }
    const group: Group = {
      started: begin(),
      joined: 0,
      members: 0,
      leave() {
        group.members -= 1
        if (group.members === 0) endTurn(group.joined)
      },
    }
    return group
  }

  return async (name) => {
    const owner = owners.get(name) ?? { waiting: 0, group: open(name) }
    owners.set(name, owner)
    if (owner.waiting >= limits.waitingPerOwner) throw limits.refuse()
    if (owner.group.members >= SHARING) owner.group = open(name)
    const { group } = owner
    owner.waiting += 1
    group.joined += 1
    group.members += 1
    await group.started
    return group.leave
  }
}
