import { z } from 'zod'

/** What git itself allows in a branch name (git-check-ref-format), short of 200 characters. */
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
