import { DropZone } from 'react-aria-components/DropZone'
import { FileTrigger } from 'react-aria-components/FileTrigger'
import { Text } from 'react-aria-components/Text'
import { Button } from './Button.tsx'
import styles from './FileDrop.module.css'
import { Upload } from './icons.ts'

export interface FileDropProps {
  /** What to drop, such as "Drop the logo here, or choose a file." */
  readonly label: string
  /** Label of the button that opens the file dialog. */
  readonly buttonLabel: string
  /** MIME types or extensions, such as `image/png` or `.json`. */
  readonly accept: readonly string[]
  readonly isPending?: boolean
  readonly onFile: (file: File) => void
}

/** A place to drop one file, with a button that opens the file dialog. */
export function FileDrop({ label, buttonLabel, accept, isPending = false, onFile }: FileDropProps) {
  return (
    <DropZone
      className={styles.zone ?? ''}
      onDrop={({ items }) => {
        const item = items.find((each) => each.kind === 'file')
        if (item !== undefined) void item.getFile().then(onFile)
      }}
    >
      <Text slot="label">{label}</Text>
      <FileTrigger
        acceptedFileTypes={accept}
        onSelect={(files) => {
          const file = files?.[0]
          if (file !== undefined) onFile(file)
        }}
      >
        <Button isPending={isPending}>
          <Upload aria-hidden />
          {buttonLabel}
        </Button>
      </FileTrigger>
    </DropZone>
  )
}
