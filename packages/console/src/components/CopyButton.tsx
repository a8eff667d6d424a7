import { Check, Copy } from 'lucide-react'
import { useState } from 'react'
import { common } from '../texts/common.ts'
import { Button } from './Button.tsx'
import { reportFailure } from './Toasts.tsx'

export interface CopyButtonProps {
  /** What is copied. */
  readonly text: string
  /** What it is, for screen readers, where a page has several: "Copy app.mts". */
  readonly label?: string
}

/** Copies a text to the clipboard, and says so. */
export function CopyButton({ text, label }: CopyButtonProps) {
  const [copied, setCopied] = useState<string>()
  const isCopied = copied === text

  async function copy() {
    try {
      await navigator.clipboard.writeText(text)
      setCopied(text)
    } catch {
      reportFailure(new Error(common.notCopied))
    }
  }

  return (
    <>
      <Button
        {...(label !== undefined && { 'aria-label': `${isCopied ? common.copied : common.copy} ${label}` })}
        onPress={() => void copy()}
      >
        {isCopied ? <Check aria-hidden /> : <Copy aria-hidden />}
        {isCopied ? common.copied : common.copy}
      </Button>
      <span className="visually-hidden" role="status">
        {isCopied && common.copied}
      </span>
    </>
  )
}
