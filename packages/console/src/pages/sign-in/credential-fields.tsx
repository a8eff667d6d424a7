import { TextField } from '../../components/TextField.tsx'

const MIN_PASSWORD_LENGTH = 8
const MAX_PASSWORD_LENGTH = 128

export function EmailField({ defaultValue = '' }: { readonly defaultValue?: string | undefined }) {
  return (
    <TextField
      name="email"
      type="email"
      label="E-mail address"
      defaultValue={defaultValue}
      autoComplete="username"
      isRequired
    />
  )
}

export function NewPasswordField({ label = 'Password' }: { readonly label?: string }) {
  return (
    <TextField
      name="password"
      type="password"
      label={label}
      description="At least 8 characters"
      minLength={MIN_PASSWORD_LENGTH}
      maxLength={MAX_PASSWORD_LENGTH}
      autoComplete="new-password"
      isRequired
    />
  )
}
