export interface Budget {
  /**
   * Reserves the maximum cost of one attempt. Waits while attempts in progress reserve too much of
   * the budget. Returns false if the budget is too small.
   */
  take(): Promise<boolean>
  /** Releases the reservation and adds the actual cost. */
  put(cost: number): void
  spent(): number
}

/** Factor for the last turn of an attempt, which may exceed the attempt's limit. */
const LAST_TURN = 1.25

/** Opens a budget in US dollars. The maximum cost of each running attempt is reserved. */
export function openBudget(input: { limit: number | null; spent: number; perAttempt: number }): Budget {
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
