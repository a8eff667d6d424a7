import { useQuery } from '@tanstack/react-query'
import { Check, Film } from 'lucide-react'
import { useState } from 'react'
import { Checkbox } from 'react-aria-components/Checkbox'
import { GridList, GridListItem, type Selection } from 'react-aria-components/GridList'
import { isRecording, type Photo, photosQuery, photoUrl, useDeletePhotos } from '../../api/gallery.ts'
import { Button } from '../../components/Button.tsx'
import { ConfirmButton } from '../../components/ConfirmButton.tsx'
import { LinkButton } from '../../components/LinkButton.tsx'
import { Page } from '../../components/Page.tsx'
import { QueryState } from '../../components/QueryState.tsx'
import { EmptyState } from '../../components/States.tsx'
import { reportSuccess } from '../../components/Toasts.tsx'
import { useUrlText } from '../../url-state.ts'
import styles from './GalleryPage.module.css'
import { DELETE_HINT, labelOf, PhotoView } from './PhotoView.tsx'

const texts = {
  selected: (count: number, all: number) => (count === 0 ? `${all} in total` : `${count} of ${all} selected`),
  deleteQuestion: (count: number) => (count === 1 ? 'Delete this photo?' : `Delete ${count} photos?`),
  deleted: (count: number) => (count === 1 ? 'Photo deleted' : `${count} photos deleted`),
} as const

/** The photos of the user as a grid: open one, or select and delete many. */
export function GalleryPage() {
  const photos = useQuery(photosQuery)
  return (
    <Page title="Gallery" description="Photos and recordings of your glasses.">
      <QueryState query={photos}>
        {(loaded) =>
          loaded.length === 0 ? (
            <EmptyState title="No photos yet">
              <p>Press the camera button of your glasses, or let an app take a photo.</p>
              <LinkButton to="/glasses">Wear simulated glasses</LinkButton>
            </EmptyState>
          ) : (
            <PhotoGrid photos={loaded} />
          )
        }
      </QueryState>
    </Page>
  )
}

/** Downloads a photo; the server names the type, so that the browser does not open it. */
function download(photo: Photo): void {
  const link = document.createElement('a')
  link.href = photoUrl(photo)
  link.download = photo.filename
  link.click()
}

function PhotoGrid({ photos }: { readonly photos: readonly Photo[] }) {
  const [selection, setSelection] = useState<Selection>(new Set())
  const [openId, setOpenId] = useUrlText('photo')
  const remove = useDeletePhotos()
  const selected = photos.filter(({ _id }) => selection === 'all' || selection.has(_id))

  async function deletePhotos(ids: readonly string[]) {
    const { deleted, failures } = await remove(ids)
    const [first] = failures
    // The photos that remain stay selected, and with them the dialog that shows the reason.
    if (first !== undefined) throw new Error(`${failures.length} could not be deleted: ${first.message}`)
    setSelection(new Set())
    reportSuccess(texts.deleted(deleted))
  }

  return (
    <>
      <div className={styles.bar}>
        <span role="status">{texts.selected(selected.length, photos.length)}</span>
        {selected.length < photos.length && <Button onPress={() => setSelection('all')}>Select all</Button>}
        {selected.length > 0 && (
          <>
            <Button onPress={() => setSelection(new Set())}>Select none</Button>
            <Button onPress={() => selected.forEach(download)}>Download</Button>
            <ConfirmButton
              title={texts.deleteQuestion(selected.length)}
              description={<p>{DELETE_HINT}</p>}
              confirmLabel="Delete"
              onConfirm={() => deletePhotos(selected.map(({ _id }) => _id))}
            >
              Delete
            </ConfirmButton>
          </>
        )}
      </div>
      <GridList
        aria-label="Photos"
        layout="grid"
        items={photos}
        selectionMode="multiple"
        selectedKeys={selection}
        onSelectionChange={setSelection}
        onAction={(id) => setOpenId(String(id))}
        className={styles.grid ?? ''}
      >
        {(photo) => {
          const label = labelOf(photo)
          return (
            <GridListItem id={photo._id} textValue={label} className={styles.photo ?? ''}>
              {isRecording(photo) ? (
                <span className={styles.recording}>
                  <Film aria-hidden />
                  {label}
                </span>
              ) : (
                <img src={photoUrl(photo)} alt={label} loading="lazy" decoding="async" />
              )}
              <Checkbox slot="selection" className={styles.check ?? ''}>
                <Check aria-hidden />
              </Checkbox>
            </GridListItem>
          )
        }}
      </GridList>
      <PhotoView
        photo={photos.find(({ _id }) => _id === openId)}
        onClose={() => setOpenId('')}
        onDelete={(id) => deletePhotos([id])}
      />
    </>
  )
}
