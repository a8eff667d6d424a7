import { TextField } from '../../components/TextField.tsx'
import { signIn as texts } from '../../texts/sign-in.ts'

const MIN_PASSWORD_LENGTH = 8
const MAX_PASSWORD_LENGTH = 128

export function EmailField({ defaultValue = '' }: { readonly defaultValue?: string | undefined }) {
  return (
    <TextField
      name="email"
      type="email"
      label={texts.email}
      defaultValue={defaultValue}
      autoComplete="username"
      isRequired
    />
  )
}

export function NewPasswordField({ label = texts.newPassword }: { readonly label?: string }) {
  return (
    <TextField
      name="password"
      type="password"
      label={label}
      description={texts.passwordHint}
      minLength={MIN_PASSWORD_LENGTH}
      maxLength={MAX_PASSWORD_LENGTH}
      autoComplete="new-password"
      isRequired
    />
  )
}
