import { Field } from '../components/field.tsx'

/**
 * A field for a new password. The service validates it. The same length limits here give earlier
 * feedback.
 */
export function NewPasswordField({ label = 'Password', name = 'password' }: { label?: string; name?: string }) {
  return (
    <Field
      label={label}
      name={name}
      type="password"
      required
      minLength={12}
      maxLength={128}
      autoComplete="new-password"
      hint="At least 12 characters. There are no other requirements."
    />
  )
}
