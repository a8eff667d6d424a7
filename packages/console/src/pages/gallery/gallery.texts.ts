import type { Photo } from '../../api/gallery.ts'
import { isRecording } from '../../api/gallery.ts'
import { formatNumber, formatTime, plural } from '../../format.ts'

/** Texts of the gallery. */
export const galleryTexts = {
  title: 'Gallery',
  description: 'Photos and recordings of your glasses.',
  photos: 'Photos',
  empty: {
    title: 'No photos yet',
    text: 'Press the camera button of your glasses, or let an app take a photo.',
    simulated:
      'Simulated glasses with a camera (Mentra Live) file photos as well: put them on, open Camera and choose Take a photo.',
    action: 'Wear simulated glasses',
  },
  total: (count: number) => `${formatNumber(count)} in total`,
  selected: (count: number, all: number) => `${formatNumber(count)} of ${formatNumber(all)} selected`,
  selectAll: 'Select all',
  selectNone: 'Select none',
  download: 'Download',
  delete: 'Delete',
  deleteQuestion: (count: number) =>
    plural(count, { one: 'Delete this photo?', other: `Delete ${formatNumber(count)} photos?` }),
  deleteHint: 'They are removed from the cloud for good. This cannot be undone.',
  deleted: (count: number) =>
    plural(count, { one: 'Photo deleted', other: `${formatNumber(count)} photos deleted` }),
  notDeleted: (count: number, reason: string) => `${formatNumber(count)} could not be deleted: ${reason}`,
  close: 'Close',
  previous: 'Previous',
  next: 'Next',
  place: (index: number, count: number) => `${formatNumber(index + 1)} of ${formatNumber(count)}`,
  origins: {
    stream: 'Recording of a stream',
    streamFor: (app: string) => `Recorded for ${app}`,
    button: 'Taken with the button of the glasses',
    takenFor: (app: string) => `Taken for ${app}`,
  },
} as const

/** Names a photo or recording for people who do not see it. */
export function labelOf(photo: Photo): string {
  const time = formatTime(photo.uploadedAt)
  return isRecording(photo) ? `Recording of ${time}` : `Photo of ${time}`
}

/** Says what took a photo or recording. */
export function originOf({ metadata: { origin, packageName } }: Photo): string {
  const { origins } = galleryTexts
  if (origin === 'stream') return packageName === undefined ? origins.stream : origins.streamFor(packageName)
  return packageName === undefined ? origins.button : origins.takenFor(packageName)
}
