import { SINGLE_LINE_PATTERN } from '@glasses-cloud/contract'
import { Type } from 'typebox'
import { fault } from '../../../http/fault.ts'
import { isEqualSecret } from '../../../identity/index.ts'
import type { LocalInput } from '../local/local-input.ts'
import type { LocalStreamingProvider } from '../local/local-provider.ts'
import type { PlaybackForwarder } from './forward-playback.ts'

/** Requests a minute of one address: a player sends about three a second. */
export const PLAYBACK_PER_MINUTE = 6_000

export interface PlaybackDeps {
  /** Undefined if another provider is configured. */
  readonly local: LocalStreamingProvider | undefined
  readonly forwarder: PlaybackForwarder
}

export const playbackPath = Type.Object({
  inputId: Type.String({
    maxLength: 64,
    pattern: SINGLE_LINE_PATTERN,
    description: 'The input at the streaming provider',
  }),
  token: Type.String({
    maxLength: 64,
    pattern: SINGLE_LINE_PATTERN,
    description: 'Part of the playback URLs of a stream',
  }),
})

/**
 * Returns the input of a playback URL.
 * @returns undefined if this node does not have it
 * @throws Fault `STREAM_NOT_FOUND` if it has, but the token is wrong
 */
export function playbackInput(
  { local }: PlaybackDeps,
  { inputId, token }: { readonly inputId: string; readonly token: string },
): LocalInput | undefined {
  const input = local?.input(inputId)
  if (input && !isEqualSecret(token, input.token)) throw fault('STREAM_NOT_FOUND')
  return input
}
