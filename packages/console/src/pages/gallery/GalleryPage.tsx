import { useQuery } from '@tanstack/react-query'
import { photosQuery } from '../../api/gallery.ts'
import { LinkButton } from '../../components/LinkButton.tsx'
import { Page } from '../../components/Page.tsx'
import { QueryState } from '../../components/QueryState.tsx'
import { EmptyState } from '../../components/States.tsx'
import { galleryTexts as texts } from './gallery.texts.ts'
import { Photos } from './Photos.tsx'

/** The photos and recordings of the user. */
export function GalleryPage() {
  const photos = useQuery(photosQuery)
  return (
    <Page title={texts.title} description={texts.description}>
      <QueryState query={photos} skeleton="cards">
        {(loaded) =>
          loaded.length === 0 ? (
            <EmptyState title={texts.empty.title}>
              <p>{texts.empty.text}</p>
              <p>{texts.empty.simulated}</p>
              <LinkButton to="/glasses" search={{ panel: 'camera' }} variant="primary">
                {texts.empty.action}
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
