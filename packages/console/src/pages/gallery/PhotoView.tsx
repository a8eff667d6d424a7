import { Link } from 'react-aria-components/Link'
import { isRecording, type Photo, photoUrl } from '../../api/gallery.ts'
import buttonStyles from '../../components/Button.module.css'
import { ConfirmButton } from '../../components/ConfirmButton.tsx'
import { Actions, Modal } from '../../components/Modal.tsx'
import { formatBytes, formatTime } from '../../format.ts'
import styles from './PhotoView.module.css'

export const DELETE_HINT = 'They are removed from the cloud for good. This cannot be undone.'

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
          title="Delete this photo?"
          description={<p>{DELETE_HINT}</p>}
          confirmLabel="Delete"
          onConfirm={async () => {
            await onDelete(photo._id)
            onClose()
          }}
        >
          Delete
        </ConfirmButton>
        <Link
          href={photoUrl(photo)}
          download={photo.filename}
          className={`${buttonStyles.button} ${buttonStyles.secondary}`}
        >
          Download
        </Link>
      </Actions>
    </Modal>
  )
}

function originOf({ metadata: { origin, packageName } }: Photo): string {
  if (origin === 'stream')
    return packageName === undefined ? 'Recording of a stream' : `Recorded for ${packageName}`
  return packageName === undefined ? 'Taken with the button of the glasses' : `Taken for ${packageName}`
}

/** Names a photo or recording for people who do not see it. */
export function labelOf(photo: Photo): string {
  const time = formatTime(photo.uploadedAt)
  return isRecording(photo) ? `Recording of ${time}` : `Photo of ${time}`
}
