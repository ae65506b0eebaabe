import { z } from 'zod'

/** A branch name that git allows (git-check-ref-format), with at most 200 characters. */
export const BranchName = z
  .string()
  .min(1)
  .max(200)
  .refine(
    (name) =>
      name.isWellFormed() &&
      !/[\p{Cc} ~^:?*[\\]|\.\.|@\{|\/\/|^[/.-]|\/\.|[/.]$|\.lock(\/|$)/u.test(name) &&
      name !== '@',
    {
      message: 'is not a valid git branch name',
    },
  )
