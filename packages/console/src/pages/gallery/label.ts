import { isRecording, type Photo } from '../../api/gallery.ts'
import { formatTime } from '../../texts/format.ts'
import { gallery as texts } from '../../texts/gallery.ts'

/** Names a photo or recording for people who do not see it. */
export function labelOf(photo: Photo): string {
  const time = formatTime(photo.uploadedAt)
  return isRecording(photo) ? texts.recordingOf(time) : texts.photoOf(time)
}
