import type {
  AudioChunk,
  ButtonPress,
  HeadPosition,
  TouchEvent,
  TranscriptionData,
  TranslationData,
  Vad,
} from '@mentra/sdk'
import { cloudUrl } from '../cloud-url.ts'
import { expect, heard, NotConfigured, type Step, wearerDoes } from '../step.ts'

/** A fifth of a second of sound: 16-bit samples, 16,000 of them a second. */
const ENOUGH_BYTES = 6_400

/** What the wearer does, and what is said around. */
export const senses: readonly Step[] = [
  {
    name: 'button',
    run: async ({ session }) => {
      const { buttonId, pressType } = await wearerDoes<ButtonPress>(
        session,
        'Hold the button “main”',
        (hear) => session.events.onButtonPress((press) => void (press.buttonId === 'main' && hear(press))),
      )
      return `${pressType} press of ${buttonId}`
    },
  },
  {
    name: 'touch',
    run: async ({ session }) => {
      const { gesture_name } = await wearerDoes<TouchEvent>(session, 'Touch the temple', (hear) =>
        session.events.onTouchEvent(hear),
      )
      return gesture_name
    },
  },
  {
    name: 'gesture',
    run: async ({ session }) => {
      const forget = session.subscribeToGestures(['forward_swipe'])
      const swipe = await wearerDoes<TouchEvent>(session, 'Swipe forward', (hear) =>
        session.onTouchEvent('forward_swipe', hear),
      )
      forget()
      return swipe.gesture_name
    },
  },
  {
    name: 'head',
    run: async ({ session }) => {
      const { position } = await wearerDoes<HeadPosition>(session, 'Look up and down again', (hear) =>
        session.onHeadPosition((head) => void (head.position === 'down' && hear(head))),
      )
      return position
    },
  },
  {
    name: 'speech',
    run: async ({ session }) => {
      const { text } = await wearerDoes<TranscriptionData>(session, 'Say something', (hear) =>
        session.events.onTranscription((result) => void (result.isFinal && hear(result))),
      )
      session.layouts.showTextWall(text)
      return `${text.split(' ').length} words`
    },
  },
  {
    name: 'speech in German',
    run: async ({ session }) => {
      const { text, transcribeLanguage } = await wearerDoes<TranscriptionData>(
        session,
        'Say something in German',
        (hear) =>
          session.events.onTranscriptionForLanguage(
            'de-DE',
            (result) => void (result.isFinal && hear(result)),
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
      const listen = (hear: (result: TranslationData) => void) =>
        session.onTranslationForLanguage('de-DE', 'en-US', hear)
      if (providers.translation === undefined) {
        // Listening is no mistake; there is just nobody who translates.
        listen(() => {})()
        throw new NotConfigured(`of the cloud's providers (${Object.keys(providers)}) none translates`)
      }
      const { text } = await wearerDoes<TranslationData>(session, 'Say something in German', (hear) =>
        listen((result) => void (result.isFinal && hear(result))),
      )
      session.layouts.showTextWall(text)
      return `${text.split(' ').length} words`
    },
  },
  {
    name: 'sound around',
    run: async ({ session }) => {
      let bytes = 0
      await wearerDoes<void>(session, 'Hum', (hear) =>
        session.events.onAudioChunk(({ arrayBuffer }: AudioChunk) => {
          bytes += arrayBuffer.byteLength
          if (bytes >= ENOUGH_BYTES) hear()
        }),
      )
      return `${bytes} bytes`
    },
  },
  {
    name: 'voice activity',
    run: async ({ session }) => {
      const { status } = await wearerDoes<Vad>(session, 'Begin to speak', (hear) =>
        session.events.onVoiceActivity(hear),
      )
      return `speaking: ${status}`
    },
  },
  {
    name: 'what an app may not hear',
    run: async ({ session }) => {
      // The manifest of the tour asks for no calendar.
      const denied = heard<{ stream: string; requiredPermission: string }>('refusal', (hear) =>
        session.events.onPermissionDenied(hear),
      )
      const refused = heard<{ details: unknown[] }>('refusal', (hear) =>
        session.events.onPermissionError(hear),
      )
      const stopListening = session.events.onCalendarEvent(() => {})
      const [{ stream, requiredPermission }, { details }] = await Promise.all([denied, refused])
      stopListening()
      expect(details.length === 1, `${details.length} streams were refused`)
      return `${stream} needs ${requiredPermission}`
    },
  },
]
