import type {
  AudioChunk,
  ButtonPress,
  HeadPosition,
  TouchEvent,
  TranscriptionData,
  TranslationData,
  Vad,
} from '@mentra/sdk'
import { cloudUrl, expect, NotConfiguredError, promptUser, type Step, waitForEvent } from '../step.ts'

/** 0.2 s of 16-bit PCM at 16 kHz. */
const MIN_AUDIO_BYTES = 6_400

/** Input of the user: buttons, gestures, speech and audio. */
export const input: readonly Step[] = [
  {
    name: 'button',
    run: async ({ session }) => {
      const { buttonId, pressType } = await promptUser<ButtonPress>(
        session,
        'Hold the button “main”',
        (resolve) =>
          session.events.onButtonPress((press) => void (press.buttonId === 'main' && resolve(press))),
      )
      return `${pressType} press of ${buttonId}`
    },
  },
  {
    name: 'touch',
    run: async ({ session }) => {
      const { gesture_name } = await promptUser<TouchEvent>(session, 'Touch the temple', (resolve) =>
        session.events.onTouchEvent(resolve),
      )
      return gesture_name
    },
  },
  {
    name: 'gesture',
    run: async ({ session }) => {
      const unsubscribe = session.subscribeToGestures(['forward_swipe'])
      const swipe = await promptUser<TouchEvent>(session, 'Swipe forward', (resolve) =>
        session.onTouchEvent('forward_swipe', resolve),
      )
      unsubscribe()
      return swipe.gesture_name
    },
  },
  {
    name: 'head position',
    run: async ({ session }) => {
      const { position } = await promptUser<HeadPosition>(session, 'Look up and down again', (resolve) =>
        session.onHeadPosition((head) => void (head.position === 'down' && resolve(head))),
      )
      return position
    },
  },
  {
    name: 'transcription',
    run: async ({ session }) => {
      const { text } = await promptUser<TranscriptionData>(session, 'Say something', (resolve) =>
        session.events.onTranscription((result) => void (result.isFinal && resolve(result))),
      )
      session.layouts.showTextWall(text)
      return `${text.split(' ').length} words`
    },
  },
  {
    name: 'transcription in German',
    run: async ({ session }) => {
      const { text, transcribeLanguage } = await promptUser<TranscriptionData>(
        session,
        'Say something in German',
        (resolve) =>
          session.events.onTranscriptionForLanguage(
            'de-DE',
            (result) => void (result.isFinal && resolve(result)),
            { hints: ['en-US'] },
          ),
      )
      session.layouts.showTextWall(text)
      return `${text.split(' ').length} words of ${transcribeLanguage}`
    },
  },
  {
    name: 'translation',
    run: async ({ session }) => {
      const { providers } = (await (await fetch(`${cloudUrl(session)}/api/apps/version`)).json()) as {
        providers: Record<string, string>
      }
      const subscribe = (resolve: (result: TranslationData) => void) =>
        session.onTranslationForLanguage('de-DE', 'en-US', resolve)
      if (providers.translation === undefined) {
        // The subscription is accepted; it just never receives a result.
        subscribe(() => {})()
        throw new NotConfiguredError(
          `the cloud has no translation provider (only ${Object.keys(providers).join(', ')})`,
        )
      }
      const { text } = await promptUser<TranslationData>(session, 'Say something in German', (resolve) =>
        subscribe((result) => void (result.isFinal && resolve(result))),
      )
      session.layouts.showTextWall(text)
      return `${text.split(' ').length} words`
    },
  },
  {
    name: 'audio chunks',
    run: async ({ session }) => {
      let bytes = 0
      await promptUser<void>(session, 'Hum', (resolve) =>
        session.events.onAudioChunk(({ arrayBuffer }: AudioChunk) => {
          bytes += arrayBuffer.byteLength
          if (bytes >= MIN_AUDIO_BYTES) resolve()
        }),
      )
      return `${bytes} bytes`
    },
  },
  {
    name: 'voice activity',
    run: async ({ session }) => {
      const { status } = await promptUser<Vad>(session, 'Start speaking', (resolve) =>
        session.events.onVoiceActivity(resolve),
      )
      return `speaking: ${status}`
    },
  },
  {
    name: 'missing permission',
    run: async ({ session }) => {
      // The manifest of the tour does not declare the CALENDAR permission.
      const denied = waitForEvent<{ stream: string; requiredPermission: string }>(
        'permission denial',
        (resolve) => session.events.onPermissionDenied(resolve),
      )
      const rejected = waitForEvent<{ details: unknown[] }>('refusal', (resolve) =>
        session.events.onPermissionError(resolve),
      )
      const unsubscribe = session.events.onCalendarEvent(() => {})
      const [{ stream, requiredPermission }, { details }] = await Promise.all([denied, rejected])
      unsubscribe()
      expect(details.length === 1, `${details.length} streams were denied`)
      return `${stream} needs ${requiredPermission}`
    },
  },
]
