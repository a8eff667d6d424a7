import { Link } from 'react-aria-components/Link'
import { isRecording, type Photo, photoUrl } from '../../api/gallery.ts'
import buttonStyles from '../../components/Button.module.css'
import { ConfirmButton } from '../../components/ConfirmButton.tsx'
import { Actions, Modal } from '../../components/Modal.tsx'
import { common } from '../../texts/common.ts'
import { formatBytes } from '../../texts/format.ts'
import { gallery as texts } from '../../texts/gallery.ts'
import { labelOf } from './label.ts'
import styles from './PhotoView.module.css'

export interface PhotoViewProps {
  /** The photo; the dialog is open while there is one. */
  readonly photo: Photo | undefined
  readonly onClose: () => void
  readonly onDelete: (id: string) => Promise<unknown>
}

/** A photo in full, with download and deletion. */
export function PhotoView({ photo, onClose, onDelete }: PhotoViewProps) {
  if (photo === undefined) return null
  const title = labelOf(photo)
  return (
    <Modal size="large" title={title} isOpen onClose={onClose}>
      {isRecording(photo) ? (
        // biome-ignore lint/a11y/useMediaCaption: the glasses record no captions
        <video className={styles.picture} src={photoUrl(photo)} aria-label={title} controls />
      ) : (
        <img className={styles.picture} src={photoUrl(photo)} alt={title} />
      )}
      <p className="muted">
        {originOf(photo)} · {formatBytes(photo.size)}
      </p>
      <Actions>
        <ConfirmButton
          title={texts.deleteQuestion(1)}
          description={<p>{texts.deleteHint}</p>}
          confirmLabel={common.delete}
          onConfirm={async () => {
            await onDelete(photo._id)
            onClose()
          }}
        >
          {common.delete}
        </ConfirmButton>
        <Link
          href={photoUrl(photo)}
          download={photo.filename}
          className={`${buttonStyles.button} ${buttonStyles.secondary}`}
        >
          {texts.download}
        </Link>
      </Actions>
    </Modal>
  )
}

function originOf({ metadata: { origin, packageName } }: Photo): string {
  if (origin === 'stream') return packageName === undefined ? texts.recorded : texts.recordedBy(packageName)
  return packageName === undefined ? texts.takenByGlasses : texts.takenBy(packageName)
}
