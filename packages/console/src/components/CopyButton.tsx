import { Button } from './Button.tsx'
import { Check, Copy } from './icons.ts'
import { reportFailure } from './Toasts.tsx'
import { componentTexts as texts } from './texts.ts'
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
    onFailure: () => reportFailure(new Error(texts.notCopied)),
  })
  const isCopied = copy.isDone && copy.input === text

  return (
    <>
      <Button
        {...(label !== undefined && {
          'aria-label': isCopied ? texts.copiedNamed(label) : texts.copyNamed(label),
        })}
        onPress={() => copy.run(text)}
      >
        {isCopied ? <Check aria-hidden /> : <Copy aria-hidden />}
        {isCopied ? texts.copied : texts.copy}
      </Button>
      <span className="visually-hidden" role="status">
        {isCopied && texts.copied}
      </span>
    </>
  )
}
