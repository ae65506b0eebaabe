import { AppError } from '../base/errors.ts'

/** Returns the error for the removal of a right that comes from a group. */
export const fromGroup = (group: string): AppError =>
  new AppError(
    'managed_by_group',
    `This access comes from the group "${group}". Remove the user from the group at the identity provider. The change takes effect when the user signs in again.`,
  )
