import { TextField } from '../../components/TextField.tsx'

export interface EmailFieldProps {
  readonly defaultValue?: string | undefined
  readonly onChange?: (email: string) => void
}

/** The field for the address of an account. */
export function EmailField({ defaultValue = '', onChange }: EmailFieldProps) {
  return (
    <TextField
      name="email"
      type="email"
      label="E-mail address"
      defaultValue={defaultValue}
      autoComplete="username"
      onChange={onChange ?? ignore}
      isRequired
    />
  )
}

function ignore(): void {}
