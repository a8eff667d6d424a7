import type { ManagedStreamStatus, RtmpStreamStatus } from '@mentra/sdk'
import { expect, heard, NotConfigured, type Step } from '../step.ts'
import type { DeliveredPhoto } from '../visitors.ts'

const TV = 'rtmp://tv.example.com/live/tour'

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
      expect(photo.buffer.length === photo.size, 'the photo is not as large as it says')
      return `${photo.mimeType}, ${photo.size} bytes`
    },
  },
  {
    name: 'photo to an address',
    run: async ({ session, visitors, publicUrl }) => {
      const delivered = heard<DeliveredPhoto>('photo', (hear) => {
        visitors.on('photo', hear)
        return () => visitors.off('photo', hear)
      })
      // The SDK does not wait for this one; it goes past it.
      await session.camera.requestPhoto({
        customWebhookUrl: `${publicUrl}/own-photos`,
        authToken: 'for this photo',
        size: 'small',
      })
      const { bytes, authorization } = await delivered
      expect(authorization === 'Bearer for this photo', 'the photo came without its token')
      return `${bytes} bytes`
    },
  },
  {
    name: 'photo that fails',
    run: async ({ session }) => {
      // The wearer has a hand before the camera.
      const why = await session.camera.requestPhoto({ size: 'small' }).then(
        () => undefined,
        (reason) => String(reason instanceof Error ? reason.message : reason),
      )
      expect(why !== undefined, 'a photo came all the same')
      return why
    },
  },
  {
    name: 'stream to an address',
    run: async ({ session }) => {
      const { camera } = session
      const active = heard<RtmpStreamStatus>('stream', (hear) =>
        camera.onStreamStatus((status) => void (status.status === 'active' && hear(status))),
      )
      camera.subscribeToStreamStatusUpdates()
      await camera.startStream({
        rtmpUrl: TV,
        video: { width: 1280, height: 720 },
        stream: { durationLimit: 60 },
      })
      await active
      expect(camera.isCurrentlyStreaming() && camera.getCurrentStreamUrl() === TV, 'the SDK knows no stream')
      const { hasActiveStream, streamInfo } = await camera.checkExistingStream()
      expect(hasActiveStream && streamInfo?.type === 'unmanaged', 'the cloud knows no stream')
      return `${camera.getStreamStatus()?.status} at ${streamInfo.rtmpUrl}`
    },
  },
  {
    name: 'stream to an address ends',
    run: async ({ session }) => {
      const { camera } = session
      const stopped = heard<RtmpStreamStatus>('end of the stream', (hear) =>
        camera.onStreamStatus((status) => void (status.status === 'stopped' && hear(status))),
      )
      await camera.stopStream()
      await stopped
      camera.unsubscribeFromStreamStatusUpdates()
      expect(!(await camera.checkExistingStream()).hasActiveStream, 'the cloud still knows a stream')
      return 'stopped'
    },
  },
  {
    name: 'managed stream',
    run: async ({ session }) => {
      const { camera } = session
      const { streamId, hlsUrl } = await camera
        .startManagedStream({ quality: '720p', restreamDestinations: [{ url: TV, name: 'TV' }] })
        .catch((reason) => {
          const why = String(reason instanceof Error ? reason.message : reason)
          throw /configured/.test(why) ? new NotConfigured(why) : reason
        })
      expect(camera.isManagedStreamActive(), 'the SDK knows no stream')
      expect(camera.getManagedStreamUrls()?.hlsUrl === hlsUrl, 'two addresses to watch it')
      const { streamInfo } = await camera.checkExistingStream()
      expect(streamInfo?.streamId === streamId, 'the cloud knows another stream')
      return `to be watched at ${new URL(hlsUrl).host}`
    },
  },
  {
    name: 'managed stream ends',
    run: async ({ session }) => {
      const { camera } = session
      if (!camera.isManagedStreamActive()) throw new NotConfigured('there is no managed stream')
      const stopped = heard<ManagedStreamStatus>('end of the stream', (hear) =>
        camera.onManagedStreamStatus((status) => void (status.status === 'stopped' && hear(status))),
      )
      await camera.stopManagedStream()
      await stopped
      return 'stopped'
    },
  },
]
