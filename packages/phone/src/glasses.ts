import { EventEmitter } from 'node:events'
import {
  type AudioFormat,
  decode,
  ENVELOPE_SUBPROTOCOL,
  encode,
  findCapabilities,
  type Message,
} from '@glasses-cloud/contract'
import type { AudioPlayer } from './audio/audio-player.ts'
import type { SpeechOptions } from './audio/local-transcription.ts'
import { Microphone, type MicrophoneData, type SpeechSent } from './audio/microphone.ts'
import type { AudioSent, SendAudioOptions } from './audio/send-audio.ts'
import { awaitAcknowledgement } from './await-acknowledgement.ts'
import { CAMERA_BUTTON } from './camera/own-photo.ts'
import type { CameraBehavior, PhotoOutcome } from './camera/photo-request.ts'
import type { StreamingCamera } from './camera/streaming-camera.ts'
import { DeviceResponder } from './device-responder.ts'
import { Display } from './display/display.ts'
import { type DisplayMatch, displayMatches } from './display/display-match.ts'
import type { CloudMessage, GlassesEvents } from './glasses-events.ts'
import { type GlassesOptions, type ResolvedOptions, resolveOptions, type Wifi } from './glasses-options.ts'
import type { Led } from './led.ts'
import { MessageHistory } from './messages/message-history.ts'
import { waitUntil } from './messages/wait-until.ts'
import { Phone } from './phone.ts'
import type { Position } from './position.ts'
import { buildHandshake } from './socket/handshake.ts'
import { JsonPing } from './socket/json-ping.ts'
import { ReconnectingSocket } from './socket/reconnecting-socket.ts'

export interface Deadline {
  readonly timeoutMs?: number
}

const DEFAULT_TIMEOUT_MS = 20_000
const CONNECT_TIMEOUT_MS = 20_000

/** What the lens shows while the cloud receives speech, but no transcription of it. */
const NOT_TRANSCRIBING =
  'Speech is not recognized: this phone sends no transcription. Type what you say, or let the cloud recognize speech (STT_PROVIDERS).'

/**
 * Simulated glasses with their phone. Connects and reconnects, draws the display, responds to requests of the cloud, and
 * offers the actions of the user: speak, press a button, look up.
 *
 * @example
 * const glasses = new Glasses({ url: 'http://127.0.0.1:8080', token })
 * await glasses.connect()
 * await glasses.phone.startApp('dev.example.captions')
 * await glasses.speak('Hello')
 * await glasses.waitForDisplay('Hello')
 */
export class Glasses extends EventEmitter<GlassesEvents> {
  readonly display: Display
  /** REST client of the phone, for the same user. */
  readonly phone: Phone
  readonly #options: ResolvedOptions
  readonly #socket: ReconnectingSocket
  readonly #microphone: Microphone
  readonly #responder: DeviceResponder
  readonly #jsonPing: JsonPing | undefined
  readonly #history = new MessageHistory()
  #model: string | null
  #wifi: Wifi | undefined
  #batteryLevel: number | undefined
  #isAcknowledged = false
  #ack: CloudMessage<'connection_ack'> | undefined

  constructor(options: GlassesOptions) {
    super()
    const resolved = resolveOptions(options)
    const { clock, dialect, dialectBy } = resolved
    this.#options = resolved
    this.#model = resolved.model
    this.#wifi = resolved.wifi
    this.phone = new Phone(resolved)
    this.display = new Display(resolved.display, () => ({
      now: new Date(clock.now()),
      battery: this.#batteryLevel,
      connected: this.isConnected,
    }))
    this.#microphone = new Microphone(resolved.audioFormat, {
      clock,
      phone: this.phone,
      isConnected: () => this.#socket.isOpen,
      send: (message) => this.send(message),
      sendBinary: (frame) => this.#socket.sendBinary(frame),
      onChange: (state) => this.emit('microphone', state),
    })
    this.#responder = new DeviceResponder(resolved, {
      phone: this.phone,
      send: (message) => void (this.#socket.isOpen && this.send(message)),
      events: this,
      onError: (error) => this.#emitError(error),
    })
    const target = dialectBy === 'query' ? { ...resolved, dialectInQuery: dialect } : resolved
    this.#socket = new ReconnectingSocket({
      ...buildHandshake(target),
      protocols: dialectBy === 'subprotocol' ? [ENVELOPE_SUBPROTOCOL] : [],
      backoff: resolved.backoff,
      openSocket: resolved.openSocket,
      clock,
      random: resolved.random,
    })
    if (resolved.jsonPing) {
      this.#jsonPing = new JsonPing(
        clock,
        resolved.jsonPing,
        () => this.#socket.isOpen && this.send({ type: 'ping' }),
        () => this.#socket.terminate(),
      )
    }
    this.#attachSocketListeners()
  }

  /** Whether the connection is open and acknowledged by the cloud. */
  get isConnected(): boolean {
    return this.#isAcknowledged && this.#socket.isOpen
  }

  /** Whether the cloud requires any microphone data; off at the start of every connection. */
  get microphoneOn(): boolean {
    return this.#microphone.isOn
  }

  /** The data the cloud requires, for instance `['pcm']`. */
  get requiredData(): readonly string[] {
    return this.#microphone.requiredData
  }

  /** Model of the connected glasses; `null` if there are none. */
  get model(): string | null {
    return this.#model
  }

  /** Whether the device profile of the model has a camera. */
  get hasCamera(): boolean {
    return this.#model !== null && findCapabilities(this.#model)?.hasCamera === true
  }

  /** How photo requests are handled; may be changed at any time. */
  get camera(): CameraBehavior {
    return this.#responder.camera
  }

  set camera(behavior: CameraBehavior) {
    this.#responder.camera = behavior
  }

  /** Position of the user, for location polls; may be changed at any time. */
  get position(): Position | undefined {
    return this.#responder.position
  }

  set position(position: Position | undefined) {
    this.#responder.position = position
  }

  get streaming(): StreamingCamera {
    return this.#responder.streaming
  }

  get audioPlayer(): AudioPlayer {
    return this.#responder.audioPlayer
  }

  get led(): Led {
    return this.#responder.led
  }

  /** The last 1,000 messages from the cloud, oldest first, optionally of one type. */
  messages(type?: string): readonly Message[] {
    return this.#history.list(type)
  }

  /**
   * Connects, and reconnects after losses. Resolves with the first acknowledgement.
   * @throws {Error} if the cloud rejects the connection or does not acknowledge it within `timeoutMs` (20 s by default)
   */
  async connect({ timeoutMs = CONNECT_TIMEOUT_MS }: Deadline = {}): Promise<CloudMessage<'connection_ack'>> {
    if (this.isConnected && this.#ack) return this.#ack
    try {
      return await awaitAcknowledgement(this, () => this.#socket.open(), {
        clock: this.#options.clock,
        timeoutMs,
      })
    } catch (error) {
      await this.disconnect()
      throw error
    }
  }

  /** Closes the connection without reconnecting. */
  async disconnect(): Promise<void> {
    this.#jsonPing?.stop()
    this.audioPlayer.stopAll()
    await this.streaming.close()
    await this.#socket.close()
  }

  /** Drops the connection without a closing handshake, as a lost network does. Reconnects afterwards. */
  loseConnection(): void {
    this.#socket.terminate()
  }

  /**
   * Sends a message in the dialect of these glasses.
   * @throws {Error} if the connection is not open
   */
  send(message: Message): void {
    this.#socket.sendText(encode(message, this.#options.dialect))
  }

  /** Sends a text frame as it is, for instance an invalid one. */
  sendRaw(text: string): void {
    this.#socket.sendText(text)
  }

  /** Connects glasses of another model to the phone. Reported immediately, or on the next connection. */
  putOn(model: string): void {
    this.#model = model
    if (this.isConnected) this.#reportGlasses('CONNECTED')
  }

  /** Disconnects the glasses from the phone; the phone stays connected to the cloud. */
  takeOff(): void {
    if (this.isConnected) this.#reportGlasses('DISCONNECTED')
    this.#model = null
  }

  /** Connects the glasses to a Wi-Fi network. */
  joinWifi(ssid: string): void {
    this.#setWifi({ connected: true, ssid })
  }

  /** Disconnects the glasses from their Wi-Fi network. */
  leaveWifi(): void {
    this.#setWifi({ connected: false })
  }

  /**
   * Speaks a sentence: the phone recognizes it and sends growing interim results and a final one. Results that are due
   * while the cloud does not require transcriptions are skipped.
   */
  speak(text: string, options: SpeechOptions = {}): Promise<SpeechSent> {
    return this.#microphone.speak(text, options)
  }

  /**
   * Plays audio into the microphone: 16-bit mono PCM at 16 kHz (`readWav`, `silence`, `tone`). Frames that are due while
   * the cloud does not require PCM are skipped. With an LC3 format, frames are encoded, and sending starts after the cloud has
   * answered the configuration.
   */
  playAudio(pcm: Uint8Array, options: SendAudioOptions = {}): Promise<AudioSent> {
    return this.#microphone.play(pcm, options)
  }

  /**
   * Sends a frame of live microphone audio, 16-bit mono PCM at 16 kHz, if the cloud requires PCM. Returns whether it was
   * sent. If the cloud requires transcriptions only, voice activity is reported instead: the simulated phone cannot
   * recognize audio.
   */
  sendAudioFrame(pcm: Uint8Array): Promise<boolean> {
    return this.#microphone.sendFrame(pcm)
  }

  /** Changes the audio format. Resolves when the cloud accepts it, rejects when the cloud rejects it. */
  configureAudio(format: AudioFormat): Promise<void> {
    return this.#microphone.configure(format)
  }

  /** Reports voice activity. Phones spell the message type `VAD`, headless clients `vad`. */
  sendVad(on: boolean, spelling: 'VAD' | 'vad' = 'VAD'): void {
    this.send({ type: spelling, status: on })
  }

  /**
   * Presses a button. A short press of the camera button of glasses with a camera is reported over REST, and takes a
   * photo if no app handles it; any other press is sent on the socket.
   */
  pressButton(buttonId = CAMERA_BUTTON, pressType: 'short' | 'long' = 'short'): void {
    if (this.hasCamera && buttonId === CAMERA_BUTTON && pressType === 'short')
      void this.#responder.pressCameraButton(buttonId)
    else this.send({ type: 'button_press', buttonId, pressType, timestamp: this.#now() })
  }

  /**
   * Takes a photo of the user's own: the phone uploads it to the gallery, and sends it to the apps that subscribe to
   * such photos. Emits `photo`.
   * @returns the result, or `undefined` if the camera ignores requests
   * @throws {Error} if the glasses have no camera
   */
  async takePhoto(): Promise<PhotoOutcome | undefined> {
    if (!this.hasCamera) throw new Error(`${this.#model ?? 'A phone without glasses'} has no camera`)
    return this.#responder.takePhoto()
  }

  /** Moves the head up or down, which also selects the visible view of the display. */
  moveHead(position: 'up' | 'down'): void {
    this.display.headUp = position === 'up'
    this.send({ type: 'head_position', position, timestamp: this.#now() })
    this.emit('displayChange', this.display)
  }

  /** Touches the temple: `single_tap`, `forward_swipe` and so on. */
  touch(gesture: string): void {
    this.send({
      type: 'touch_event',
      device_model: this.#model,
      gesture_name: gesture,
      timestamp: this.#now(),
    })
  }

  /** Reports the battery of the glasses, in percent. */
  reportBattery(level: number, charging = false): void {
    this.#batteryLevel = level
    this.send({ type: 'glasses_battery_update', level, charging, timestamp: this.#now() })
  }

  /** Reports a position; `correlationId` is that of the `request_single_location` it responds to. */
  reportPosition(lat: number, lng: number, more: { accuracy?: number; correlationId?: string } = {}): void {
    this.send({ type: 'location_update', lat, lng, ...more, timestamp: this.#now() })
  }

  /** Waits until the display matches; resolves immediately if it already does. */
  async waitForDisplay(
    match: DisplayMatch,
    { timeoutMs = DEFAULT_TIMEOUT_MS }: Deadline = {},
  ): Promise<Display> {
    return await waitUntil({
      emitter: this,
      event: 'displayChange',
      check: () => (displayMatches(this.display, match) ? this.display : undefined),
      timeoutMs,
      clock: this.#options.clock,
      describe: () => `the display to show ${match}; it shows: ${JSON.stringify(this.display.text)}`,
    })
  }

  /**
   * Waits for a message of a type, including one that was already received. Messages of a type are consumed in order: a
   * message that was returned or skipped is not returned again (`messages` lists all).
   */
  async waitForMessage<Type extends string>(
    type: Type,
    matches: (message: Message) => boolean = () => true,
    { timeoutMs = DEFAULT_TIMEOUT_MS }: Deadline = {},
  ): Promise<Message & { readonly type: Type }> {
    return await waitUntil({
      emitter: this,
      event: 'message',
      check: () => this.#history.next(type, matches) as (Message & { readonly type: Type }) | undefined,
      timeoutMs,
      clock: this.#options.clock,
      describe: () => `${type}; the last messages were: ${this.#describeLastTypes()}`,
    })
  }

  /** Waits until the microphone is on or off, or sends the data; resolves immediately if it already does. */
  async waitForMicrophone(
    state: boolean | MicrophoneData,
    { timeoutMs = DEFAULT_TIMEOUT_MS }: Deadline = {},
  ): Promise<void> {
    const isReached = () =>
      typeof state === 'boolean' ? this.microphoneOn === state : this.#microphone.sends(state)
    await waitUntil({
      emitter: this,
      event: 'microphone',
      check: () => (isReached() ? true : undefined),
      timeoutMs,
      clock: this.#options.clock,
      describe: () => {
        const expected = typeof state === 'string' ? `send ${state}` : `be ${state ? 'on' : 'off'}`
        return `the microphone to ${expected}; required data: ${this.requiredData.join(', ') || 'none'}`
      },
    })
  }

  #attachSocketListeners(): void {
    this.#socket.on('open', () => this.#jsonPing?.start())
    this.#socket.on('sent', (content) => this.emit('frame', { direction: 'sent', content }))
    this.#socket.on('frame', (text) => {
      this.emit('frame', { direction: 'received', content: text })
      this.#receive(text)
    })
    this.#socket.on('retry', (retry) => this.emit('reconnecting', retry))
    this.#socket.on('error', (error) => this.#emitError(error))
    this.#socket.on('close', (info) => {
      this.#isAcknowledged = false
      this.#jsonPing?.stop()
      this.#microphone.reset()
      this.#showNotice(undefined)
      this.emit('close', info)
    })
  }

  #receive(text: string): void {
    // Frames received while the connection closes cannot be answered.
    if (!this.#socket.isOpen) return
    const decoded = decode(text, this.#options.dialect)
    if (!decoded.ok) {
      this.#emitError(new Error(`The cloud sent an invalid frame: ${decoded.reason}`))
      return
    }
    const { message } = decoded
    this.#history.add(message)
    this.#handle(message)
    this.emit('message', message)
  }

  /** Handles a message as a phone does. The casts trust the cloud to follow the contract, as phones do. */
  #handle(message: Message): void {
    switch (message.type) {
      case 'connection_ack':
        this.#acknowledge(message as CloudMessage<'connection_ack'>)
        break
      case 'display_event':
        this.emit('displayEvent', message as CloudMessage<'display_event'>)
        if (this.display.apply(message) && message.view === this.display.view) {
          this.emit('displayChange', this.display)
        }
        break
      case 'microphone_state_change':
        this.#microphone.handle(message)
        if (!this.#microphone.sends('transcription')) this.#showNotice(undefined)
        break
      case 'transcription_status':
        if (message.reason === 'phone_not_transcribing') this.#showNotice(NOT_TRANSCRIBING)
        else if (message.status === 'available') this.#showNotice(undefined)
        break
      case 'app_state_change':
        this.emit('appStateChange', message as CloudMessage<'app_state_change'>)
        break
      case 'app_started':
        this.emit('appStarted', message as CloudMessage<'app_started'>)
        break
      case 'app_stopped':
        this.emit('appStopped', message as CloudMessage<'app_stopped'>)
        break
      case 'ping':
        this.send({ type: 'pong' })
        break
      case 'pong':
        this.#jsonPing?.receivePong()
        break
      default:
        this.#responder.handle(message)
    }
  }

  #showNotice(notice: string | undefined): void {
    if (this.display.notice === notice) return
    this.display.notice = notice
    this.emit('displayChange', this.display)
  }

  #acknowledge(ack: CloudMessage<'connection_ack'>): void {
    if (!this.#isAcknowledged) {
      this.#isAcknowledged = true
      this.#socket.resetBackoff()
      if (this.#model !== null) this.#reportGlasses(this.#ack ? 'RECONNECTED' : 'CONNECTED')
      this.#microphone.sendConfiguration().catch((error) => this.#emitError(error))
    }
    this.#ack = ack
    this.emit('ack', ack)
  }

  #setWifi(wifi: Wifi): void {
    this.#wifi = wifi
    if (this.isConnected && this.#model !== null) this.#reportGlasses('CONNECTED')
  }

  #reportGlasses(status: 'CONNECTED' | 'RECONNECTED' | 'DISCONNECTED'): void {
    const wifi = this.#wifi
    this.send({
      type: 'glasses_connection_state',
      modelName: this.#model,
      status,
      ...(wifi && { wifi }),
      timestamp: new Date(this.#now()).toISOString(),
    })
  }

  /** Emits `error` only if there is a listener: without one an emitter throws. */
  #emitError(error: Error): void {
    if (this.listenerCount('error') > 0) this.emit('error', error)
  }

  #now(): number {
    return this.#options.clock.now()
  }

  #describeLastTypes(): string {
    const types = this.#history.list().map((message) => message.type)
    return types.slice(-10).join(', ') || 'none'
  }
}
