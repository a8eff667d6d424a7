import { useQuery } from '@tanstack/react-query'
import { photosQuery } from '../../api/gallery.ts'
import { LinkButton } from '../../components/Button.tsx'
import { Page } from '../../components/Page.tsx'
import { EmptyState, QueryState } from '../../components/States.tsx'
import { Photos } from './Photos.tsx'

/** The photos and recordings of the user. */
export function GalleryPage() {
  const photos = useQuery(photosQuery)
  return (
    <Page title="Gallery" description="Photos and recordings of your glasses.">
      <QueryState query={photos} skeleton="cards">
        {(loaded) =>
          loaded.length === 0 ? (
            <EmptyState title="No photos yet">
              <p>Press the camera button of your glasses, or let an app take a photo.</p>
              <p>
                Simulated glasses with a camera (Mentra Live) file photos as well: put them on, open Camera
                and choose Take a photo.
              </p>
              <LinkButton to="/glasses" search={{ panel: 'camera' }} variant="primary">
                Wear simulated glasses
              </LinkButton>
            </EmptyState>
          ) : (
            <Photos photos={loaded} />
          )
        }
      </QueryState>
    </Page>
  )
}
