import type { ManagedStreamStatus, RtmpStreamStatus } from '@mentra/sdk'
import type { DeliveredPhoto } from '../app-pages.ts'
import { expect, NotConfiguredError, type Step, waitForEvent } from '../step.ts'

const RTMP_URL = 'rtmp://tv.example.com/live/tour'

/** Photos and streams. */
export const camera: readonly Step[] = [
  {
    name: 'photo',
    run: async ({ session }) => {
      const photo = await session.camera.requestPhoto({
        saveToGallery: true,
        size: 'small',
        compress: 'heavy',
      })
      expect(photo.buffer.length === photo.size, 'the photo has another size than reported')
      return `${photo.mimeType}, ${photo.size} bytes`
    },
  },
  {
    name: 'photo to a custom URL',
    run: async ({ session, pages, publicUrl }) => {
      const delivered = waitForEvent<DeliveredPhoto>('photo', (resolve) => {
        pages.on('photo', resolve)
        return () => pages.off('photo', resolve)
      })
      // The SDK does not await this photo: it is uploaded to a custom URL.
      await session.camera.requestPhoto({
        customWebhookUrl: `${publicUrl}/own-photos`,
        authToken: 'photo-token',
        size: 'small',
      })
      const { bytes, authorization } = await delivered
      expect(authorization === 'Bearer photo-token', 'the upload has no token')
      return `${bytes} bytes`
    },
  },
  {
    name: 'failed photo',
    run: async ({ session }) => {
      // The camera of the user fails.
      const message = await session.camera.requestPhoto({ size: 'small' }).then(
        () => undefined,
        (reason) => String(reason instanceof Error ? reason.message : reason),
      )
      expect(message !== undefined, 'the photo did not fail')
      return message
    },
  },
  {
    name: 'RTMP stream',
    run: async ({ session }) => {
      const { camera } = session
      const active = waitForEvent<RtmpStreamStatus>('stream', (resolve) =>
        camera.onStreamStatus((status) => void (status.status === 'active' && resolve(status))),
      )
      camera.subscribeToStreamStatusUpdates()
      await camera.startStream({
        rtmpUrl: RTMP_URL,
        video: { width: 1280, height: 720 },
        stream: { durationLimit: 60 },
      })
      await active
      expect(
        camera.isCurrentlyStreaming() && camera.getCurrentStreamUrl() === RTMP_URL,
        'the SDK reports no stream',
      )
      const { hasActiveStream, streamInfo } = await camera.checkExistingStream()
      expect(hasActiveStream && streamInfo?.type === 'unmanaged', 'the cloud reports no stream')
      return `${camera.getStreamStatus()?.status} at ${streamInfo.rtmpUrl}`
    },
  },
  {
    name: 'RTMP stream stopped',
    run: async ({ session }) => {
      const { camera } = session
      const stopped = waitForEvent<RtmpStreamStatus>('end of the stream', (resolve) =>
        camera.onStreamStatus((status) => void (status.status === 'stopped' && resolve(status))),
      )
      await camera.stopStream()
      await stopped
      camera.unsubscribeFromStreamStatusUpdates()
      expect(!(await camera.checkExistingStream()).hasActiveStream, 'the cloud still reports a stream')
      return 'stopped'
    },
  },
  {
    name: 'managed stream',
    run: async ({ session }) => {
      const { camera } = session
      const { streamId, hlsUrl } = await camera
        .startManagedStream({ quality: '720p', restreamDestinations: [{ url: RTMP_URL, name: 'TV' }] })
        .catch((reason) => {
          const message = String(reason instanceof Error ? reason.message : reason)
          throw /configured/.test(message) ? new NotConfiguredError(message) : reason
        })
      expect(camera.isManagedStreamActive(), 'the SDK reports no stream')
      expect(camera.getManagedStreamUrls()?.hlsUrl === hlsUrl, 'the SDK reports another HLS URL')
      const { streamInfo } = await camera.checkExistingStream()
      expect(streamInfo?.streamId === streamId, 'the cloud reports another stream')
      return `HLS at ${new URL(hlsUrl).host}`
    },
  },
  {
    name: 'managed stream stopped',
    run: async ({ session }) => {
      const { camera } = session
      if (!camera.isManagedStreamActive()) throw new NotConfiguredError('no managed stream is active')
      const stopped = waitForEvent<ManagedStreamStatus>('end of the stream', (resolve) =>
        camera.onManagedStreamStatus((status) => void (status.status === 'stopped' && resolve(status))),
      )
      await camera.stopManagedStream()
      await stopped
      return 'stopped'
    },
  },
]
