import { Checkbox } from 'react-aria-components/Checkbox'
import { GridList, GridListItem, type Selection } from 'react-aria-components/GridList'
import { GridLayout, Size, Virtualizer } from 'react-aria-components/Virtualizer'
import { isRecording, type Photo, thumbnailUrl } from '../../api/gallery.ts'
import { Check, Film } from '../../components/icons.ts'
import { formatTime } from '../../format.ts'
import styles from './GalleryPage.module.css'

/** Boxes of 4 to 3; on a phone two fit beside each other. */
const LAYOUT = {
  minItemSize: new Size(136, 102),
  maxItemSize: new Size(260, 195),
  minSpace: new Size(10, 10),
  maxHorizontalSpace: 10,
  preserveAspectRatio: true,
}

export interface PhotoGridProps {
  readonly photos: readonly Photo[]
  readonly selection: Selection
  readonly onSelect: (selection: Selection) => void
  readonly onOpen: (id: string) => void
}

/** Photos in boxes of the same size, of which only those in view are drawn. */
export function PhotoGrid({ photos, selection, onSelect, onOpen }: PhotoGridProps) {
  const isSelecting = selection === 'all' || selection.size > 0
  return (
    <Virtualizer layout={GridLayout} layoutOptions={LAYOUT}>
      <GridList
        aria-label="Photos"
        layout="grid"
        items={photos}
        selectionMode="multiple"
        selectedKeys={selection}
        onSelectionChange={onSelect}
        onAction={(id) => onOpen(String(id))}
        className={`${styles.grid} ${isSelecting ? styles.selecting : ''}`}
      >
        {(photo) => (
          <GridListItem id={photo._id} textValue={labelOf(photo)} className={styles.photo ?? ''}>
            <Tile photo={photo} />
            <Checkbox slot="selection" className={styles.check ?? ''}>
              <Check aria-hidden />
            </Checkbox>
          </GridListItem>
        )}
      </GridList>
    </Virtualizer>
  )
}

function Tile({ photo }: { readonly photo: Photo }) {
  const label = labelOf(photo)
  if (isRecording(photo))
    return (
      <span className={styles.recording}>
        <Film aria-hidden />
        {label}
      </span>
    )
  return (
    <img
      src={thumbnailUrl(photo, 480)}
      srcSet={`${thumbnailUrl(photo, 160)} 160w, ${thumbnailUrl(photo, 480)} 480w`}
      sizes="(max-width: 40rem) 45vw, 14rem"
      alt={label}
      loading="lazy"
      decoding="async"
    />
  )
}

/** Names a photo or recording for people who do not see it. */
export function labelOf(photo: Photo): string {
  const time = formatTime(photo.uploadedAt)
  return isRecording(photo) ? `Recording of ${time}` : `Photo of ${time}`
}
