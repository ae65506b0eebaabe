import type { Request } from '../meaning/request.ts'
import type { Match } from '../plan/rule.ts'

/** Recognizes one kind of request by its words. Returns the plan, or null for other requests. */
export type Reader = (request: Request) => Match['plan'] | null

/** Words for kinds of changes and things, as lists that `hasWord` accepts. */
export const WORDS = {
  page: 'page guide tutorial article document doc howto quickstart walkthrough faq chapter',
  vague:
    'improve better enhance polish rework refactor update fix change edit modify revise optimize tidy tweak beautify modernize rewrite shorten simplify adjust review cleanup clean nicer',
} as const
