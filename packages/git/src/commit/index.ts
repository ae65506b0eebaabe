export { type BuiltCommit, buildCommit, type Identity } from './build-commit.ts'
export { deleteBranch } from './delete-branch.ts'
export { PushRejectedError, pushBranch } from './push-branch.ts'
export { signWithSsh } from './sign-with-ssh.ts'
