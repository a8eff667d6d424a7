import { randomUUID } from 'node:crypto'
import { type Check, STARTS_APP } from '../check.ts'
import { type Context, requirePermission } from '../context.ts'
import { expect, isRecord, shorten } from '../expect.ts'
import { Skipped } from '../outcome.ts'
import { MICROPHONE_OFF_MS } from './app-socket.ts'
import { expectMessage, nextStreamFrame } from './messages.ts'

const CAMERA_MODEL = 'Mentra Live'
const SENTENCE = 'the quick brown fox'
/** A frame of 20 ms of 16-bit PCM at 16 kHz. */
const FRAME_BYTES = 640

/** Subscribes the kit's app, and to nothing at the end of the check. */
async function subscribe(context: Context, subscription: string) {
  const socket = await context.appSocket()
  socket.send({ type: 'subscription_update', subscriptions: [subscription] })
  context.after(() => socket.send({ type: 'subscription_update', subscriptions: ['head_position'] }))
  return socket
}

/** Microphone, camera and speaker: from the glasses to an app, or from an app to the glasses and back. */
export const deviceChecks: readonly Check[] = [
  {
    id: 'device.transcription',
    title: 'Speech that the phone recognizes reaches a subscriber of its language',
    source: 'docs/protocol/app-socket.md §2.3; docs/protocol/glasses-socket.md §2.6.4',
    changes: STARTS_APP,
    run: async (context) => {
      await requirePermission(context, 'MICROPHONE')
      const glasses = await context.glasses()
      // The microphone stays on for some seconds after an earlier check; what it is asked for now counts.
      await glasses.waitForMicrophone(false, { timeoutMs: MICROPHONE_OFF_MS })
      const socket = await subscribe(context, 'transcription:en-US')
      await glasses.waitForMicrophone(true)
      if (!glasses.requiredData.includes('transcription'))
        throw new Skipped('the cloud recognizes speech itself and asks phones for audio only')
      await glasses.speak(SENTENCE, { language: 'en-US' })
      for (;;) {
        const { data } = await nextStreamFrame(socket, 'transcription')
        if (!isRecord(data) || data.isFinal !== true) continue
        expect(data.text === SENTENCE, `The app received ${shorten(data.text)}, not ${shorten(SENTENCE)}`)
        return
      }
    },
  },
  {
    id: 'device.audio',
    title: 'Audio of the glasses reaches a subscriber as binary frames, unchanged',
    source: 'docs/protocol/app-socket.md §2.3; docs/protocol/glasses-socket.md §2.6',
    changes: STARTS_APP,
    run: async (context) => {
      await requirePermission(context, 'MICROPHONE')
      const glasses = await context.glasses()
      const socket = await subscribe(context, 'audio_chunk')
      await glasses.waitForMicrophone('pcm')
      const sent = new Uint8Array(FRAME_BYTES).map((_, index) => index % 251)
      await glasses.sendAudioFrame(sent)
      const received = await socket.nextBinary()
      expect(
        Buffer.compare(received, sent) === 0,
        `The app received ${received.length} other bytes than the ${sent.length} that the glasses sent`,
      )
    },
  },
  {
    id: 'device.photo',
    title: 'A photo_request of the app is answered with a photo at its /photo-upload',
    source: 'docs/protocol/app-socket.md §3.4',
    changes: `${STARTS_APP}; reports other glasses, with a camera, during the check`,
    run: async (context) => {
      await requirePermission(context, 'CAMERA')
      const app = await context.app()
      const glasses = await context.glasses()
      const { model } = glasses
      context.after(() => (model === null ? glasses.takeOff() : glasses.putOn(model)))
      const socket = await context.appSocket()
      glasses.putOn(CAMERA_MODEL)
      // The two sockets are independent: the request must not overtake the report of the glasses.
      const isReported = async () => (await socket.next('capabilities_update')).modelName === CAMERA_MODEL
      if (model !== CAMERA_MODEL) while (!(await isReported()));
      const requestId = `conformance-${randomUUID()}`
      socket.send({ type: 'photo_request', requestId, saveToGallery: false })
      const { fields, photo } = await app.delivered(requestId)
      expect(photo !== undefined, `The app received no photo but ${shorten(fields)}`)
      expect(photo.type.startsWith('image/'), `The photo has the type ${photo.type}`)
      expect(photo.bytes > 0, 'The photo is empty')
    },
  },
  {
    id: 'device.audio-play',
    title: 'An audio_play_request reaches the glasses, and their answer the app',
    source: 'docs/protocol/app-socket.md §2.1; docs/protocol/glasses-socket.md §2.6',
    changes: STARTS_APP,
    run: async (context) => {
      const glasses = await context.glasses()
      const socket = await context.appSocket()
      const { behavior } = glasses.audioPlayer
      context.after(() => {
        glasses.audioPlayer.behavior = behavior
      })
      // The answer matters, not the sound.
      glasses.audioPlayer.behavior = { kind: 'fail', error: 'Not played' }
      const requestId = `conformance-${randomUUID()}`
      const audioUrl = 'https://example.com/conformance.mp3'
      socket.send({ type: 'audio_play_request', requestId, audioUrl })
      const answer = expectMessage('app', await socket.next('audio_play_response'), 'flat')
      const [played] = glasses.audioPlayer.played.slice(-1)
      expect(played?.url === audioUrl, `The glasses were asked to play ${shorten(played?.url)}`)
      expect(
        answer.requestId === requestId && answer.success === false && answer.error === 'Not played',
        `The app received ${shorten(answer)}`,
      )
    },
  },
]
