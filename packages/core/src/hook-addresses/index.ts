export { isAllowedHost } from './is-allowed-host.ts'
export { isPublicAddress } from './is-public-address.ts'
