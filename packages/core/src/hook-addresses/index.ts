export { findHookGrant } from './find-hook-grant.ts'
export { isPublicAddress } from './is-public-address.ts'
