import { Field } from '../components/field.tsx'

/**
 * A field for a new password. It checks the length, so that users get feedback before the service
 * validates the password.
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
      hint="12 to 128 characters. No other requirements."
    />
  )
}
