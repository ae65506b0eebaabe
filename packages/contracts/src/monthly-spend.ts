import { z } from 'zod'

/** Spend in the current calendar month in UTC. */
export const MonthlySpend = z.object({
  /** For example `2026-11`. */
  month: z.string().regex(/^\d{4}-\d{2}$/),
  spentUsd: z.number().nonnegative(),
  /** Null for no budget. */
  budgetUsd: z.number().nullable(),
  /** Start of the next month, when the spend restarts at zero. */
  endsAt: z.iso.datetime({ precision: 3 }),
})
export type MonthlySpend = z.infer<typeof MonthlySpend>

/** Share of a monthly budget at which a warning is sent. */
export const BUDGET_WARNING_SHARE = 0.8
