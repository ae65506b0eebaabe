import { AppError } from '@corrigenda/core/base'

/**
 * Returns a function that runs costly work, with a limited number at the same time. Further work
 * waits for its turn, up to a limit.
 * @throws AppError `service_unavailable` when too much work is waiting
 */
export function limitWork(limits: { readonly concurrent: number; readonly waiting: number }) {
  const waiting: (() => void)[] = []
  let running = 0
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (running >= limits.concurrent) {
      if (waiting.length >= limits.waiting) {
        throw new AppError('service_unavailable', 'Too many passwords are being checked. Try again.', 2)
      }
      // The work that ends passes its place on, so `running` stays the same.
      await new Promise<void>((resolve) => waiting.push(resolve))
    } else running += 1
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else running -= 1
    }
  }
}
