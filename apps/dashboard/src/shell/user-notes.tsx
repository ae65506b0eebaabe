/**
 * Says that a right comes from a group of the identity provider, and can be removed only there.
 * @param props.right the right, if it differs from the one that is shown next to this note
 */
export function FromGroup({ group, right }: { group: string; right: string | null }) {
  return (
    <span
      className="from-group small muted"
      title="Managed at the identity provider. Changes apply at the next sign-in."
    >
      {right === null ? 'from group' : `${right} from group`} <span className="breakable">{group}</span>
    </span>
  )
}

/** Marks the address of an account whose user may have chosen it freely. */
export function UnverifiedAddress({ isVerified }: { readonly isVerified: boolean }) {
  return isVerified ? null : <div className="muted">Address not verified</div>
}
