import { DropZone } from 'react-aria-components/DropZone'
import { Text } from 'react-aria-components/Text'
import { FileButton, type FileButtonProps } from './FileButton.tsx'
import styles from './FileDrop.module.css'
import { Upload } from './icons.ts'
import { Notice } from './Notice.tsx'

export interface FileDropProps extends Omit<FileButtonProps, 'children'> {
  /** What to drop, such as "Drop the logo here, or choose a file." */
  readonly label: string
  /** Label of the button that opens the file dialog. */
  readonly buttonLabel: string
  /** Why the file was not accepted. */
  readonly error?: Error | undefined
}

/** A place to drop one file, with a button that opens the file dialog. */
export function FileDrop({ label, buttonLabel, error, ...button }: FileDropProps) {
  return (
    <DropZone
      className={styles.zone ?? ''}
      onDrop={({ items }) => {
        const item = items.find((each) => each.kind === 'file')
        if (item !== undefined) void item.getFile().then(button.onFile)
      }}
    >
      <Text slot="label">{label}</Text>
      <FileButton {...button}>
        <Upload aria-hidden />
        {buttonLabel}
      </FileButton>
      {error !== undefined && <Notice tone="danger" title={error.message} />}
    </DropZone>
  )
}
