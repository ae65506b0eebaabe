export {
  findSignInProvider,
  getAccount,
  refuseLinked,
  renameAccount,
  resetPassword,
  saveGithubLogin,
  setFirstPassword,
  unlinkProvider,
} from './account.ts'
export {
  applyGroupRights,
  applyGroupRules,
  type GroupRights,
  type GroupRole,
  type GroupRules,
  toGroupRights,
} from './groups.ts'
export { acceptInvitation, createInvitation, deleteInvitation, findInvitation, type Guest } from './invitations.ts'
export { addMember, findRole, listMembers, removeMember, updateMember } from './members.ts'
export {
  dropSession,
  endOtherSessions,
  endSession,
  forgetOldSessions,
  getSessionUser,
  listLiveSessions,
  listSessions,
  type ProjectSession,
  refuseStaleSession,
  type SignedInUser,
  toSessionKey,
} from './sessions.ts'
export {
  claimFirstAdmin,
  createFirstAccount,
  ensureDemoOwner,
  getSetupToken,
  isSetUp,
  isSetupToken,
} from './setup.ts'
export { createSignInLink, SIGN_IN_LINK_MINUTES, takeSignInLink } from './sign-in-links.ts'
export { forgetSignInTries, takeSignInTry } from './sign-in-tries.ts'
export type { AccountDeps } from './tokens.ts'
export { deleteUser, listOpsUsers, listUsers, setAdmin } from './users.ts'
