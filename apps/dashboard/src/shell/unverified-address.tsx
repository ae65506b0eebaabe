/** Marks the address of an account whose user may have chosen it freely. */
export function UnverifiedAddress({ isVerified }: { readonly isVerified: boolean }) {
  return isVerified ? null : <div className="muted">Address not verified</div>
}
