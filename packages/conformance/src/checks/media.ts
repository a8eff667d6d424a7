import { errors, transcriptHistory } from '@glasses-cloud/contract'
import { type Check, STARTS_APP } from '../check.ts'
import type { Context } from '../context.ts'
import { expect, expectBody, expectError, expectStatus, isRecord } from '../expect.ts'
import { Skipped } from '../outcome.ts'

const ERRORS = 'Contract: Errors, messages by endpoint group'
const OUTPUTS = 'Contract: Errors, stream-output errors'

function appHeaders({ options }: Context): Record<string, string> {
  if (options.app === undefined) throw new Skipped('requires --app-package, --app-key and --app-url')
  return { 'x-api-key': options.app.apiKey, 'x-package-name': options.app.packageName }
}

/** Reads transcripts as the kit's app, which needs a permission for it. */
async function getTranscripts(context: Context, query: string) {
  const { sessionId } = await context.app()
  const appSessionId = encodeURIComponent(sessionId)
  const answer = await context.rest.get(`/api/transcripts/${appSessionId}${query}`, {
    token: null,
    headers: appHeaders(context),
  })
  if (answer.status === 403) throw new Skipped("the kit's app may not read transcripts")
  return answer
}

async function addOutput(context: Context, url: string) {
  const headers = appHeaders(context)
  const body = { url, name: 'Conformance' }
  return context.rest.post('/api/streams/conformance-no-such-stream/outputs', { token: null, headers, body })
}

export const mediaChecks: readonly Check[] = [
  {
    id: 'media.speech-text',
    title: 'GET /api/tts without text returns 400',
    source: ERRORS,
    run: async ({ rest }) => {
      expectError(await rest.get('/api/tts', { token: null }), errors.TTS_TEXT_REQUIRED, 'envelope')
    },
  },
  {
    id: 'media.speech',
    title: 'GET /api/tts returns MP3 audio without authentication',
    source: 'Contract: Text-to-speech',
    run: async ({ rest }) => {
      const answer = await rest.get('/api/tts?text=Conformance', { token: null })
      const { message } = errors.TTS_NOT_CONFIGURED
      if (answer.status === 500 && isRecord(answer.body) && answer.body.message === message)
        throw new Skipped('the cloud has no provider of text-to-speech')
      expectStatus(answer, 200)
      const type = answer.headers.get('content-type')
      expect(type === 'audio/mpeg', `GET /api/tts: content type ${type}, not audio/mpeg`)
    },
  },
  {
    id: 'media.recent-audio',
    title: 'GET /api/audio/:userId without credentials returns 401',
    source: ERRORS,
    run: async ({ rest }) => {
      const answer = await rest.get('/api/audio/user@example.com', { token: null })
      expectError(answer, errors.AUDIO_CREDENTIALS_REQUIRED, 'envelope')
    },
  },
  {
    id: 'media.transcripts',
    title: 'GET /api/transcripts/:appSessionId returns the segments of a language',
    source: 'Contract: Transcripts',
    changes: STARTS_APP,
    run: async (context) => {
      const { language } = expectBody(transcriptHistory, await getTranscripts(context, '?duration=60'))
      expect(language === 'en-US', `The default language is ${language}, not en-US`)
    },
  },
  {
    id: 'media.transcripts-range',
    title: 'GET /api/transcripts/:appSessionId without a time returns 400',
    source: ERRORS,
    changes: STARTS_APP,
    run: async (context) => {
      expectError(await getTranscripts(context, ''), errors.TRANSCRIPT_RANGE_REQUIRED, 'bare')
    },
  },
  {
    id: 'media.output-url',
    title: 'A restream output whose URL is not RTMP is rejected with INVALID_URL',
    source: OUTPUTS,
    run: async (context) => {
      const answer = await addOutput(context, 'https://example.com/live')
      expectError(answer, errors.INVALID_URL, 'coded', 'INVALID_URL')
    },
  },
  {
    id: 'media.output-stream',
    title: 'A restream output of an unknown stream is rejected with STREAM_NOT_FOUND',
    source: OUTPUTS,
    run: async (context) => {
      const answer = await addOutput(context, 'rtmp://example.com/live/key')
      expectError(answer, errors.STREAM_NOT_FOUND, 'coded', 'STREAM_NOT_FOUND')
    },
  },
]
