import type { AppToCloud, Message } from '@glasses-cloud/contract'
import type { SdkGeneration } from './sdk-generations.ts'
import type { MessageFilter } from './ws-peer.ts'

/** A generation that needs an adapter. */
export type AdaptedGeneration = Exclude<SdkGeneration, 'current' | 'mini'>

/** Message types that the SDK of a generation reports as errors, or that other software may not know (app-socket.md §1.9). */
const UNKNOWN_TYPES: Readonly<Record<AdaptedGeneration, readonly string[]>> = {
  first: [
    'augmentos_settings_update',
    'capabilities_update',
    'custom_message',
    'dashboard_mode_changed',
    'device_state_update',
    'permission_error',
  ],
  second: ['device_state_update'],
  other: ['dashboard_mode_changed', 'device_state_update'],
}

/**
 * Adapts messages to an app on an older SDK or on other software. Types that it may not know are withheld until the app
 * shows that it knows them; then the last withheld message of the type is sent.
 */
export class SdkAdapter implements MessageFilter {
  readonly #generation: AdaptedGeneration
  readonly #withheld = new Map<string, Message | undefined>()

  constructor(generation: AdaptedGeneration) {
    this.#generation = generation
    for (const type of UNKNOWN_TYPES[generation]) this.#withheld.set(type, undefined)
  }

  withholds(message: Message): boolean {
    const { type } = message
    if (!this.#withheld.has(type)) return false
    this.#withheld.set(type, mergeState(this.#withheld.get(type), message))
    return true
  }

  /**
   * The first SDKs replace the subscription string `transcription` by the language of the data, under which an app that
   * subscribed without a language has no handler. They leave it unchanged if the data name no language.
   */
  streamData(streamType: string, dataJson: string): string {
    if (this.#generation !== 'first' || streamType !== 'transcription') return dataJson
    const { transcribeLanguage: _, ...data } = JSON.parse(dataJson)
    return JSON.stringify(data)
  }

  /** Learns from a message of the app which types it knows. @returns the withheld messages to send now */
  learn(message: AppToCloud): Message[] {
    if (this.#withheld.size === 0) return []
    return typesShownBy(message).flatMap((type) => {
      const withheld = this.#withheld.get(type)
      this.#withheld.delete(type)
      return withheld === undefined ? [] : [withheld]
    })
  }
}

/** Merges a device state into the withheld one; other types replace all that was sent before. */
function mergeState(withheld: Message | undefined, message: Message): Message {
  if (message.type !== 'device_state_update' || withheld === undefined) return message
  return { ...message, state: { ...Object(withheld.state), ...Object(message.state) }, fullSnapshot: true }
}

/** Returns the types that an app knows which sends a message. */
function typesShownBy(message: AppToCloud): string[] {
  if (message.type.startsWith('dashboard_')) return ['dashboard_mode_changed']
  if (message.type !== 'subscription_update') return []
  const streams = message.subscriptions.map((entry) => (typeof entry === 'string' ? entry : entry.stream))
  return streams.map((stream) => (stream.startsWith('augmentos:') ? 'augmentos_settings_update' : stream))
}
