import { TextField, type TextFieldProps } from '../../../components/TextField.tsx'
import { useProblem } from './problems.tsx'

export interface ManifestTextProps
  extends Pick<TextFieldProps, 'label' | 'description' | 'placeholder' | 'lines' | 'isReadOnly' | 'type'> {
  /** Path in the manifest, such as `permissions[0].description`; a function if the path contains the value. */
  readonly path: string | ((value: string) => string)
  readonly value: string
  readonly onChange: (value: string) => void
}

/** A text of a manifest, which is checked as it is typed. */
export function ManifestText({ path, onChange, ...props }: ManifestTextProps) {
  const pathOf = typeof path === 'string' ? () => path : path
  const { error, onEdit } = useProblem(pathOf(props.value), props.label)
  return (
    <TextField
      {...props}
      error={error}
      onChange={(value) => {
        onEdit(pathOf(value))
        onChange(value)
      }}
    />
  )
}

export interface ManifestNumberProps extends Pick<ManifestTextProps, 'label' | 'description'> {
  readonly path: string
  readonly value: unknown
  /** Undefined if the field is empty. */
  readonly onChange: (value: number | undefined) => void
}

/** A number of a manifest. What is no number stays in the field, but not in the manifest. */
export function ManifestNumber({ path, value, onChange, ...props }: ManifestNumberProps) {
  return (
    <ManifestText
      {...props}
      path={path}
      type="number"
      value={typeof value === 'number' ? String(value) : ''}
      onChange={(text) => onChange(text === '' || !Number.isFinite(Number(text)) ? undefined : Number(text))}
    />
  )
}
