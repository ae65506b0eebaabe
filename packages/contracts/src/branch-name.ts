import { z } from 'zod'

/** A valid git branch name (see git-check-ref-format) of at most 200 characters. */
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
