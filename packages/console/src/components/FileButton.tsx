import { type ReactNode, useRef } from 'react'
import { Button } from './Button.tsx'

export interface FileButtonProps {
  /** MIME types or extensions, such as `image/png` or `.json`. */
  readonly accept: readonly string[]
  readonly isPending?: boolean
  readonly onFile: (file: File) => void
  readonly children: ReactNode
}

/** A button that opens the file dialog. */
export function FileButton({ accept, isPending = false, onFile, children }: FileButtonProps) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <Button isPending={isPending} onPress={() => input.current?.click()}>
        {children}
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        accept={accept.join()}
        onChange={({ currentTarget }) => {
          const file = currentTarget.files?.[0]
          // The same file can be chosen again, for instance after it was changed.
          currentTarget.value = ''
          if (file !== undefined) onFile(file)
        }}
      />
    </>
  )
}
