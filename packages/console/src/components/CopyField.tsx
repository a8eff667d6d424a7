import { Input } from 'react-aria-components/Input'
import { Label } from 'react-aria-components/Label'
import { TextField } from 'react-aria-components/TextField'
import { Button } from './Button.tsx'
import styles from './CopyField.module.css'
import fieldStyles from './fields.module.css'
import { Check, Copy } from './icons.ts'
import { reportFailure } from './Toasts.tsx'
import { useAction } from './use-action.ts'

export interface CopyFieldProps {
  readonly label: string
  readonly value: string
}

/** A value to copy, such as an address or a key that is shown once. */
export function CopyField({ label, value }: CopyFieldProps) {
  return (
    <TextField value={value} isReadOnly className={fieldStyles.field ?? ''}>
      <Label>{label}</Label>
      <div className={styles.row}>
        <Input
          className={`${fieldStyles.input} ${styles.value}`}
          onFocus={(event) => event.target.select()}
        />
        <CopyButton text={value} />
      </div>
    </TextField>
  )
}

interface CopyButtonProps {
  /** What is copied. */
  readonly text: string
  /** What it is, for screen readers, where a page has several: "Copy app.mts". */
  readonly label?: string
}

/** Copies a text to the clipboard, and says so. */
export function CopyButton({ text, label }: CopyButtonProps) {
  const copy = useAction((copied: string) => navigator.clipboard.writeText(copied), {
    onFailure: () =>
      reportFailure(new Error('The browser did not copy it. Select the text and copy it yourself.')),
  })
  const isCopied = copy.isDone && copy.input === text

  return (
    <>
      <Button
        {...(label !== undefined && {
          'aria-label': isCopied ? `Copied ${label}` : `Copy ${label}`,
        })}
        onPress={() => copy.run(text)}
      >
        {isCopied ? <Check aria-hidden /> : <Copy aria-hidden />}
        {isCopied ? 'Copied' : 'Copy'}
      </Button>
      <span className="visually-hidden" role="status">
        {isCopied && 'Copied'}
      </span>
    </>
  )
}
