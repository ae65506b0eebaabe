export interface Purse {
  /** Sets aside what one attempt may cost at most; waits for running ones when it may fit later. False: it never will. */
  take(): Promise<boolean>
  /** Gives back what was set aside and pays what it came to. */
  put(cost: number): void
  spent(): number
}

/** An attempt ends with a last turn after its own limit was reached. */
const LAST_TURN = 1.25

/** US dollars that may be spent, with the most that running attempts may still cost set aside. */
export function openPurse(input: { limit: number | null; spent: number; perAttempt: number }): Purse {
  const { limit, perAttempt } = input
  const most = perAttempt * LAST_TURN
  let spent = input.spent
  let running = 0
  let waiting: (() => void)[] = []
  return {
    async take() {
      if (limit === null) return true
      while (spent + (running + 1) * most > limit) {
        if (running === 0) return false
        await new Promise<void>((resolve) => waiting.push(resolve))
      }
      running += 1
      return true
    },
    put(cost) {
      if (limit !== null) running -= 1
      spent += cost
      const woken = waiting
      waiting = []
      for (const wake of woken) wake()
    },
    spent: () => spent,
  }
}
