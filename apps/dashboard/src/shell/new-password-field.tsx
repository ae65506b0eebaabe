import { Field } from '../components/field.tsx'

/** A password that is chosen now. The service decides; the same lengths here tell it sooner. */
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
      hint="At least 12 characters. Length is the only rule."
    />
  )
}
