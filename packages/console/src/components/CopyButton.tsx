import { Button } from './Button.tsx'
import { Check, Copy } from './icons.ts'
import { reportFailure } from './Toasts.tsx'
import { useAction } from './use-action.ts'

export interface CopyButtonProps {
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
