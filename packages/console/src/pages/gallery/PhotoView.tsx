import { useEffect, useRef } from 'react'
import { Dialog } from 'react-aria-components/Dialog'
import { Link } from 'react-aria-components/Link'
import { Modal, ModalOverlay } from 'react-aria-components/Modal'
import { isRecording, type Photo, photoUrl, thumbnailUrl } from '../../api/gallery.ts'
import buttonStyles from '../../components/Button.module.css'
import { Button } from '../../components/Button.tsx'
import { ConfirmButton } from '../../components/ConfirmButton.tsx'
import { ChevronLeft, ChevronRight, Download, Trash2, X } from '../../components/icons.ts'
import { formatBytes, formatNumber, formatTime } from '../../format.ts'
import type { OpenPhoto } from './open-photo.ts'
import { labelOf } from './PhotoGrid.tsx'
import styles from './PhotoView.module.css'
import { useSteps } from './use-steps.ts'

export interface PhotoViewProps {
  readonly photos: readonly Photo[]
  readonly opened: OpenPhoto
  readonly onDelete: (id: string) => Promise<unknown>
}

/** The open photo on the whole screen, with those before and after it. */
export function PhotoView({ photos, opened, onDelete }: PhotoViewProps) {
  const index = useShownIndex(photos, opened.id)
  const photo = photos[index]
  if (photo === undefined) return null
  return (
    <ModalOverlay
      className={styles.overlay ?? ''}
      isOpen
      onOpenChange={(isOpen) => {
        if (!isOpen) opened.close()
      }}
    >
      <Modal className={styles.modal ?? ''}>
        <Dialog aria-label={labelOf(photo)} className={styles.dialog ?? ''}>
          <Stage photos={photos} index={index} photo={photo} opened={opened} onDelete={onDelete} />
        </Dialog>
      </Modal>
    </ModalOverlay>
  )
}

/** Returns the index of the open photo; of the one after it while it is being deleted. */
function useShownIndex(photos: readonly Photo[], id: string): number {
  const last = useRef(-1)
  const index = photos.findIndex(({ _id }) => _id === id)
  if (index >= 0 || id === '') last.current = index
  return Math.min(last.current, photos.length - 1)
}

interface StageProps extends PhotoViewProps {
  readonly index: number
  readonly photo: Photo
}

function Stage({ photos, index, photo, opened, onDelete }: StageProps) {
  const [previous, next] = [photos[index - 1], photos[index + 1]]
  const show = (other: Photo | undefined) => other !== undefined && opened.show(other._id)
  const swipe = useSteps((step) => show(step === 'previous' ? previous : next))
  usePreload(previous, next)

  async function deleteShown() {
    await onDelete(photo._id)
    const other = next ?? previous
    if (other === undefined) opened.close()
    else opened.show(other._id)
  }

  return (
    <>
      <header className={styles.bar}>
        <div className={styles.facts}>
          <strong>{formatTime(photo.uploadedAt)}</strong>
          <span>{`${originOf(photo)} · ${formatBytes(photo.size)}`}</span>
        </div>
        <span className={styles.place} role="status">
          {formatNumber(index + 1)} of {formatNumber(photos.length)}
        </span>
        <Link
          href={photoUrl(photo)}
          download={photo.filename}
          aria-label="Download"
          className={`${buttonStyles.button} ${buttonStyles.quiet}`}
        >
          <Download aria-hidden />
        </Link>
        <ConfirmButton
          variant="quiet"
          aria-label="Delete"
          title="Delete this photo?"
          description={<p>They are removed from the cloud for good. This cannot be undone.</p>}
          confirmLabel="Delete"
          onConfirm={deleteShown}
        >
          <Trash2 aria-hidden />
        </ConfirmButton>
        <Button variant="quiet" aria-label="Close" onPress={opened.close}>
          <X aria-hidden />
        </Button>
      </header>
      <div className={styles.stage} {...swipe}>
        <Picture key={photo._id} photo={photo} />
        {photos.length > 1 && (
          <>
            <div className={styles.previous}>
              <Button
                variant="quiet"
                aria-label="Previous"
                isDisabled={previous === undefined}
                onPress={() => show(previous)}
              >
                <ChevronLeft aria-hidden />
              </Button>
            </div>
            <div className={styles.next}>
              <Button
                variant="quiet"
                aria-label="Next"
                isDisabled={next === undefined}
                onPress={() => show(next)}
              >
                <ChevronRight aria-hidden />
              </Button>
            </div>
          </>
        )}
      </div>
    </>
  )
}

/** Says what took a photo or recording. */
function originOf({ metadata: { origin, packageName } }: Photo): string {
  if (origin === 'stream')
    return packageName === undefined ? 'Recording of a stream' : `Recorded for ${packageName}`
  return packageName === undefined ? 'Taken with the button of the glasses' : `Taken for ${packageName}`
}

/** The picture; until it is loaded the one of the grid, which is there already. */
function Picture({ photo }: { readonly photo: Photo }) {
  const label = labelOf(photo)
  if (isRecording(photo))
    return (
      // biome-ignore lint/a11y/useMediaCaption: the glasses record no captions
      <video className={styles.picture} src={photoUrl(photo)} aria-label={label} controls playsInline />
    )
  return (
    <img
      className={styles.picture}
      src={thumbnailUrl(photo, 1600)}
      alt={label}
      draggable={false}
      style={{ backgroundImage: `url("${thumbnailUrl(photo, 480)}")` }}
    />
  )
}

/** Loads the pictures that are likely to be shown next. */
function usePreload(...neighbors: readonly (Photo | undefined)[]) {
  const urls = neighbors
    .filter((photo) => photo !== undefined && !isRecording(photo))
    .map((photo) => thumbnailUrl(photo as Photo, 1600))
    .join(' ')
  useEffect(() => {
    for (const url of urls.split(' ').filter(Boolean)) new Image().src = url
  }, [urls])
}
