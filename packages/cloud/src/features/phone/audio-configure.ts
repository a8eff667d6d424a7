import {
  audioConfiguration,
  audioConfigurationResponse,
  toAudioConfiguration,
  toAudioFormat,
} from '@glasses-cloud/contract'
import { coreToken } from '../../http/auth/index.ts'
import { endpoint } from '../../http/endpoint.ts'
import { fault } from '../../http/fault.ts'
import { requireSession } from '../../http/require-session.ts'
import type { PhoneEndpointDeps } from './deps.ts'
import { ack } from './schemas.ts'

/**
 * Sets the audio format of the binary frames on the current glasses socket; newer phones request this after each
 * acknowledgement.
 */
export const configureAudio = ({ sessions, now }: PhoneEndpointDeps) =>
  endpoint({
    method: 'POST',
    url: '/api/client/audio/configure',
    summary: 'Set the format of the audio sent on the glasses socket',
    tags: ['phone'],
    style: 'bare',
    auth: coreToken,
    schema: { body: audioConfiguration, response: { 200: audioConfigurationResponse } },
    errors: ['NO_ACTIVE_SESSION'],
    handler: async ({ caller: { user }, body }) => {
      const format = toAudioFormat(body)
      const session = await requireSession(sessions, user.id)
      // The phone reconnects and repeats the request.
      if (!(await session.configureAudio(format))) throw fault('NO_ACTIVE_SESSION')
      const { lc3Config } = toAudioConfiguration(format)
      const message =
        format.format === 'pcm'
          ? 'Sound is read as PCM'
          : `Sound is read as LC3, ${format.frameSizeBytes} bytes a frame`
      return { ...ack(now()), format: format.format, lc3Config, message }
    },
  })
