import { useState } from 'react'
import type { Selection } from 'react-aria-components/GridList'
import { type Photo, photoUrl, useDeletePhotos } from '../../api/gallery.ts'
import { Button } from '../../components/Button.tsx'
import { ConfirmButton } from '../../components/ConfirmButton.tsx'
import { reportSuccess } from '../../components/Toasts.tsx'
import { formatNumber, plural } from '../../format.ts'
import styles from './GalleryPage.module.css'
import { useOpenPhoto } from './open-photo.ts'
import { PhotoGrid } from './PhotoGrid.tsx'
import { PhotoView } from './PhotoView.tsx'

/** The photos as a grid: open one, or select, download and delete many. */
export function Photos({ photos }: { readonly photos: readonly Photo[] }) {
  const [selection, setSelection] = useState<Selection>(new Set())
  const opened = useOpenPhoto()
  const remove = useDeletePhotos()
  const selected = photos.filter(({ _id }) => selection === 'all' || selection.has(_id))

  async function deletePhotos(ids: readonly string[]) {
    const { deleted, failures } = await remove(ids)
    const [first] = failures
    // The photos that remain stay selected, and with them the dialog that shows the reason.
    if (first !== undefined)
      throw new Error(`${formatNumber(failures.length)} could not be deleted: ${first.message}`)
    setSelection(new Set())
    reportSuccess(plural(deleted, { one: 'Photo deleted', other: `${formatNumber(deleted)} photos deleted` }))
  }

  return (
    <>
      <div className={styles.bar}>
        <span role="status">
          {selected.length === 0
            ? `${formatNumber(photos.length)} in total`
            : `${formatNumber(selected.length)} of ${formatNumber(photos.length)} selected`}
        </span>
        {selected.length < photos.length && <Button onPress={() => setSelection('all')}>Select all</Button>}
        {selected.length > 0 && (
          <>
            <Button onPress={() => setSelection(new Set())}>Select none</Button>
            <Button onPress={() => selected.forEach(download)}>Download</Button>
            <ConfirmButton
              title={plural(selected.length, {
                one: 'Delete this photo?',
                other: `Delete ${formatNumber(selected.length)} photos?`,
              })}
              description={<p>They are removed from the cloud for good. This cannot be undone.</p>}
              confirmLabel="Delete"
              onConfirm={() => deletePhotos(selected.map(({ _id }) => _id))}
            >
              Delete
            </ConfirmButton>
          </>
        )}
      </div>
      <PhotoGrid photos={photos} selection={selection} onSelect={setSelection} onOpen={opened.open} />
      <PhotoView photos={photos} opened={opened} onDelete={(id) => deletePhotos([id])} />
    </>
  )
}

/** Downloads a photo; the server names the type, so that the browser does not open it. */
function download(photo: Photo): void {
  const link = document.createElement('a')
  link.href = photoUrl(photo)
  link.download = photo.filename
  link.click()
}
