import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { BASE_PATH } from '../base-path.ts'
import { allPages, api, unwrap, unwrapPage, withCursor } from './client.ts'
import { reload } from './query-client.ts'
import type { components } from './schema.d.ts'

export type Photo = components['schemas']['GalleryPhoto']

/** Photos deleted at the same time; each is a request. */
const PARALLEL_DELETIONS = 4

/** The photos and recordings of the user, newest first. */
export const photosQuery = queryOptions({
  queryKey: ['gallery'],
  queryFn: ({ signal }) =>
    allPages(async (cursor) => {
      const params = { query: { type: 'all' as const, ...withCursor(cursor) } }
      const { data, ...result } = await api.GET('/api/gallery', { params, signal })
      return unwrapPage(Promise.resolve({ ...result, data: { data: data?.photos ?? [] } }))
    }),
})

/** Pixels of the longer side of the pictures that the cloud makes of a photo. */
export type ThumbnailSize = 160 | 480 | 1600

/** Address of a photo in a reduced size. Recordings have none. */
export const thumbnailUrl = (photo: Photo, size: ThumbnailSize): string =>
  `${BASE_PATH}/api/gallery/${photo._id}/thumbnails/${size}`

/** Address of the picture itself. */
export const photoUrl = (photo: Photo): string => `${BASE_PATH}/api/gallery/${photo._id}/file`

/** Whether it is the recording of a stream. */
export const isRecording = ({ mimeType }: Photo): boolean => mimeType.startsWith('video/')

/** Outcome of deleting several photos. */
export interface Deletion {
  readonly deleted: number
  readonly failures: readonly Error[]
}

/** Deletes photos by id, then reloads the gallery. */
export function useDeletePhotos() {
  const queryClient = useQueryClient()
  return async (ids: readonly string[]): Promise<Deletion> => {
    const failures: Error[] = []
    const pending = [...ids]
    const deleteNext = async (): Promise<void> => {
      for (let photoId = pending.shift(); photoId !== undefined; photoId = pending.shift()) {
        const request = api.DELETE('/api/gallery/{photoId}', { params: { path: { photoId } } })
        await unwrap(request).catch((error: unknown) =>
          failures.push(error instanceof Error ? error : new Error(String(error))),
        )
      }
    }
    await Promise.all(Array.from({ length: PARALLEL_DELETIONS }, deleteNext))
    await reload(queryClient, photosQuery)
    return { deleted: ids.length - failures.length, failures }
  }
}
