import { EventEmitter } from 'node:events'
import { type AudioFormat, decode, ENVELOPE_SUBPROTOCOL, encode, type Message } from '@glasses-cloud/contract'
import { AudioPlayer } from './audio/audio-player.ts'
import { AudioUplink } from './audio/audio-uplink.ts'
import { type AudioSent, delay, type SendAudioOptions, sendAudio } from './audio/send-audio.ts'
import { awaitAcknowledgement } from './await-acknowledgement.ts'
import { type CameraBehavior, handlePhotoRequest, type PhotoOutcome } from './camera/photo-request.ts'
import { StreamingCamera } from './camera/streaming-camera.ts'
import { Display } from './display/display.ts'
import { type DisplayMatch, displayMatches } from './display/display-match.ts'
import type { FromCloud, GlassesEvents } from './glasses-events.ts'
import { type GlassesOptions, type ResolvedOptions, resolveOptions, type Wifi } from './glasses-options.ts'
import { Led } from './led.ts'
import { MessageHistory } from './messages/message-history.ts'
import { waitUntil } from './messages/wait-until.ts'
import { Phone } from './phone.ts'
import { locationAnswer, type Position } from './place.ts'
import { buildHandshake } from './socket/handshake.ts'
import { JsonPing } from './socket/json-ping.ts'
import { ReconnectingSocket } from './socket/reconnecting-socket.ts'
import { localTranscription, recognitionResults, type SpeechOptions } from './speech.ts'

/** How long to wait, in milliseconds. */
export interface Deadline {
  readonly timeoutMs?: number
}

const DEFAULT_TIMEOUT_MS = 5_000
const CONNECT_TIMEOUT_MS = 10_000

/**
 * A phone with smart glasses, as the cloud sees them. It connects and comes back, keeps a lens, answers pings and photo
 * requests, and does what its wearer does: speak, press, look up.
 */
export class Glasses extends EventEmitter<GlassesEvents> {
  /** What the wearer sees. */
  readonly display: Display
  /** What happens at the next photo request; may be changed at any time. */
  camera: CameraBehavior
  /** What happens at the next request for a stream, and the stream under way. */
  readonly streaming: StreamingCamera
  /** What happens to the sounds of apps, and what was played. */
  readonly audioPlayer: AudioPlayer
  /** What happens when an app wants light, and what the light did. */
  readonly led: Led
  /** Where the wearer is, for apps that ask; may be changed at any time. */
  position: Position | undefined
  readonly #options: ResolvedOptions
  readonly #socket: ReconnectingSocket
  readonly #uplink: AudioUplink
  readonly #jsonPing: JsonPing | undefined
  readonly #history = new MessageHistory()
  #model: string | null
  #wifi: Wifi | undefined
  #battery: number | undefined
  #requiredData: readonly string[] = []
  #acknowledged = false
  #ack: FromCloud<'connection_ack'> | undefined
  #shots = 0

  constructor(options: GlassesOptions) {
    super()
    const settings = resolveOptions(options)
    const { clock, dialect, dialectBy } = settings
    this.#options = settings
    this.#model = settings.model
    this.#wifi = settings.wifi
    this.camera = settings.camera
    this.#uplink = new AudioUplink(new Phone(settings), settings.audioFormat)
    this.position = settings.position
    // What comes while the connection closes cannot be answered any more.
    const answer = (message: Message) => void (this.#socket.isOpen && this.send(message))
    this.streaming = new StreamingCamera(settings.streamMessageNames, answer)
    this.audioPlayer = new AudioPlayer(clock, answer, (sound) => this.emit('sound', sound))
    this.led = new Led(answer, (command) => this.emit('light', command))
    this.display = new Display(settings.display, () => ({
      now: new Date(clock.now()),
      battery: this.#battery,
      connected: this.isConnected,
    }))
    const address = dialectBy === 'query' ? { ...settings, dialectInQuery: dialect } : settings
    this.#socket = new ReconnectingSocket({
      ...buildHandshake(address),
      protocols: dialectBy === 'subprotocol' ? [ENVELOPE_SUBPROTOCOL] : [],
      backoff: settings.backoff,
      clock,
      random: settings.random,
    })
    if (settings.jsonPing) {
      this.#jsonPing = new JsonPing(
        clock,
        settings.jsonPing,
        () => this.#socket.isOpen && this.send({ type: 'ping' }),
        () => this.#socket.terminate(),
      )
    }
    this.#listen()
  }

  /** Whether there is a connection that the cloud has acknowledged. */
  get isConnected(): boolean {
    return this.#acknowledged && this.#socket.isOpen
  }

  /** Whether the cloud wants sound; off until this connection was told so. */
  get microphoneOn(): boolean {
    return this.#requiredData.length > 0
  }

  /** What the cloud wants to hear, for instance `['pcm']`. */
  get requiredData(): readonly string[] {
    return this.#requiredData
  }

  /** Model of the glasses on the wearer's nose; `null` while there are none. */
  get model(): string | null {
    return this.#model
  }

  /** What the cloud has said, oldest first; the last 1,000 messages are kept. */
  messages(type?: string): readonly Message[] {
    return this.#history.list(type)
  }

  /**
   * Connects and stays connected, coming back after losses; resolves with the first acknowledgement. Rejects, and gives
   * up, when the cloud refuses or does not acknowledge within `timeoutMs` (10 s by default).
   */
  async connect({ timeoutMs = CONNECT_TIMEOUT_MS }: Deadline = {}): Promise<FromCloud<'connection_ack'>> {
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

  /** Says goodbye and stays away. */
  async disconnect(): Promise<void> {
    this.#jsonPing?.stop()
    this.audioPlayer.stopAll()
    await this.#socket.close()
  }

  /** Cuts the connection without a goodbye, as a dead spot does; reconnecting follows. */
  loseConnection(): void {
    this.#socket.terminate()
  }

  /** Sends any message, in the dialect of these glasses. Throws while there is no connection. */
  send(message: Message): void {
    this.#socket.sendText(encode(message, this.#options.dialect))
  }

  /** Sends text as it stands, for trying out what no proper client sends. */
  sendRaw(text: string): void {
    this.#socket.sendText(text)
  }

  /** Puts glasses on, or other ones; without a connection, the cloud hears of it at the next one. */
  putOn(model: string): void {
    this.#model = model
    if (this.isConnected) this.#reportGlasses('CONNECTED')
  }

  /** Takes the glasses off; the phone stays connected. */
  takeOff(): void {
    if (this.isConnected) this.#reportGlasses('DISCONNECTED')
    this.#model = null
  }

  /** Has the glasses join a Wi-Fi network. */
  joinWifi(ssid: string): void {
    this.#changeWifi({ connected: true, ssid })
  }

  /** Has the glasses leave the Wi-Fi network they are in. */
  leaveWifi(): void {
    this.#changeWifi({ connected: false })
  }

  /** Speaks: the phone recognises and sends growing results and a final one. Resolves when the final one is sent. */
  async speak(text: string, options: SpeechOptions = {}): Promise<void> {
    const { clock } = this.#options
    const { interim = true, wordMs = 0 } = options
    const startTime = clock.now()
    const results = recognitionResults(text, interim)
    for (const [at, hypothesis] of results.entries()) {
      if (at > 0) await delay(clock, wordMs)
      this.send(localTranscription(hypothesis, options, { startTime, endTime: clock.now() }))
    }
  }

  /**
   * Plays sound into the microphone: 16-bit mono PCM at 16 kHz (`readWav`, `silence`, `tone`). While the cloud has the
   * microphone switched off, time passes and nothing is sent. As LC3 it goes in pieces of whole frames of 10 ms, once the
   * cloud has answered that it knows.
   */
  async playAudio(pcm: Buffer, options: SendAudioOptions = {}): Promise<AudioSent> {
    this.#uplink.validateFrameMs(options.frameMs)
    await this.#uplink.idle
    return sendAudio(pcm, options, {
      isOn: () => this.microphoneOn && this.#socket.isOpen,
      send: (frame) => this.#socket.sendBinary(this.#uplink.encode(frame)),
      clock: this.#options.clock,
    })
  }

  /** Sends sound in another format from now on; resolves when the cloud has taken it, rejects when it refuses. */
  configureAudio(format: AudioFormat): Promise<void> {
    return this.#uplink.configure(format)
  }

  /** Speech starts or stops. Phones spell the message `VAD`, headless clients `vad`. */
  sendVad(on: boolean, spelling: 'VAD' | 'vad' = 'VAD'): void {
    this.send({ type: spelling, status: on })
  }

  /** Presses a button, once. */
  pressButton(buttonId = 'camera', pressType: 'short' | 'long' = 'short'): void {
    this.send({ type: 'button_press', buttonId, pressType, timestamp: this.#now() })
  }

  /** Lifts or lowers the head, which also chooses the view on the lens. */
  moveHead(position: 'up' | 'down'): void {
    this.display.headUp = position === 'up'
    this.send({ type: 'head_position', position, timestamp: this.#now() })
    this.emit('lens', this.display)
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

  /** The battery of the glasses changed. */
  reportBattery(level: number, charging = false): void {
    this.#battery = level
    this.send({ type: 'glasses_battery_update', level, charging, timestamp: this.#now() })
  }

  /** A position fix; `correlationId` names the `request_single_location` it answers. */
  reportPosition(lat: number, lng: number, more: { accuracy?: number; correlationId?: string } = {}): void {
    this.send({ type: 'location_update', lat, lng, ...more, timestamp: this.#now() })
  }

  /** Waits until the lens shows something; at once when it does already. */
  async waitForDisplay(
    match: DisplayMatch,
    { timeoutMs = DEFAULT_TIMEOUT_MS }: Deadline = {},
  ): Promise<Display> {
    return await waitUntil({
      emitter: this,
      event: 'lens',
      check: () => (displayMatches(this.display, match) ? this.display : undefined),
      timeoutMs,
      clock: this.#options.clock,
      describe: () => `the lens to show ${match}; it shows: ${JSON.stringify(this.display.text)}`,
    })
  }

  /**
   * Waits for a message of a type, one that came already included. Each type is read like a stream: what was waited for
   * once, and what was passed over on the way, is not found again (`messages` gives all).
   */
  async waitForMessage<Type extends string>(
    type: Type,
    fits: (message: Message) => boolean = () => true,
    { timeoutMs = DEFAULT_TIMEOUT_MS }: Deadline = {},
  ): Promise<Message & { readonly type: Type }> {
    return await waitUntil({
      emitter: this,
      event: 'message',
      check: () => this.#history.next(type, fits) as (Message & { readonly type: Type }) | undefined,
      timeoutMs,
      clock: this.#options.clock,
      describe: () => `${type}; the last messages were: ${this.#lastTypes()}`,
    })
  }

  /** Waits until the cloud has the microphone on, or off; at once when it does already. */
  async waitForMicrophone(on: boolean, { timeoutMs = DEFAULT_TIMEOUT_MS }: Deadline = {}): Promise<void> {
    await waitUntil({
      emitter: this,
      event: 'microphone',
      check: () => (this.microphoneOn === on ? true : undefined),
      timeoutMs,
      clock: this.#options.clock,
      describe: () => `the microphone to be ${on ? 'on' : 'off'}`,
    })
  }

  #listen(): void {
    this.#socket.on('open', () => this.#jsonPing?.start())
    this.#socket.on('frame', (text) => this.#receive(text))
    this.#socket.on('retry', (retry) => this.emit('reconnecting', retry))
    this.#socket.on('error', (error) => this.#trouble(error))
    this.#socket.on('close', (info) => {
      this.#acknowledged = false
      this.#jsonPing?.stop()
      // What an earlier connection wanted counts no more: the cloud says it anew, and tests see whether it does.
      if (this.microphoneOn) this.#switchMicrophone([])
      this.emit('close', info)
    })
  }

  #receive(text: string): void {
    // What still comes while the connection closes cannot be answered any more.
    if (!this.#socket.isOpen) return
    const decoded = decode(text, this.#options.dialect)
    if (!decoded.ok) {
      this.#trouble(new Error(`The cloud sent a frame that is no message: ${decoded.reason}`))
      return
    }
    const { message } = decoded
    this.#history.add(message)
    this.#react(message)
    this.emit('message', message)
  }

  /** Does what a phone does with a message. The casts trust the cloud to keep the contract, as phones do. */
  #react(message: Message): void {
    switch (message.type) {
      case 'connection_ack':
        this.#acknowledge(message as FromCloud<'connection_ack'>)
        break
      case 'display_event':
        this.emit('display', message as FromCloud<'display_event'>)
        if (this.display.apply(message) && message.view === this.display.view) this.emit('lens', this.display)
        break
      case 'microphone_state_change':
        this.#switchMicrophone(Array.isArray(message.requiredData) ? message.requiredData : [])
        break
      case 'app_state_change':
        this.emit('appStateChange', message as FromCloud<'app_state_change'>)
        break
      case 'app_started':
        this.emit('appStarted', message as FromCloud<'app_started'>)
        break
      case 'app_stopped':
        this.emit('appStopped', message as FromCloud<'app_stopped'>)
        break
      case 'photo_request':
        this.emit('photoRequest', message)
        void this.#answerPhotoRequest(message)
        break
      case 'show_wifi_setup':
        this.emit('wifiSetup', message)
        break
      case 'request_single_location':
        void this.#answerLocationRequest(message)
        break
      case 'ping':
        this.send({ type: 'pong' })
        break
      case 'pong':
        this.#jsonPing?.receivePong()
        break
      default:
        this.streaming.handle(message)
        this.audioPlayer.handle(message)
        this.led.handle(message)
    }
  }

  #switchMicrophone(requiredData: readonly string[]): void {
    this.#requiredData = requiredData
    this.emit('microphone', { on: this.microphoneOn, requiredData })
  }

  #acknowledge(ack: FromCloud<'connection_ack'>): void {
    if (!this.#acknowledged) {
      this.#acknowledged = true
      this.#socket.resetBackoff()
      if (this.#model !== null) this.#reportGlasses(this.#ack ? 'RECONNECTED' : 'CONNECTED')
      this.#uplink.sendFormat().catch((error) => this.#trouble(error))
    }
    this.#ack = ack
    this.emit('ack', ack)
  }

  async #answerPhotoRequest(request: Message): Promise<void> {
    const outcome = await handlePhotoRequest(request, this.camera, this.#shots++)
    if (!outcome) return
    await this.#reportPhoto(outcome)
    this.emit('photo', outcome)
  }

  /** Older phones speak up about failures alone; newer ones post every outcome (glasses socket protocol, 2.1). */
  async #reportPhoto(outcome: PhotoOutcome): Promise<void> {
    const { ok: success, requestId } = outcome
    const report = success
      ? { requestId, success }
      : { requestId, success, errorCode: outcome.errorCode, errorMessage: outcome.errorMessage }
    if (this.#options.respondBy === 'rest') await this.#post('/api/client/photo/response', report)
    else if (!success && this.#socket.isOpen) {
      this.send({ type: 'photo_response', ...report, timestamp: this.#now() })
    }
  }

  async #answerLocationRequest(request: Message): Promise<void> {
    const answer = this.position && locationAnswer(request, this.position)
    if (!answer) return
    const { type, correlationId, ...place } = answer
    const timestamp = this.#now()
    if (this.#options.respondBy === 'rest') {
      const path = `/api/client/location/poll-response/${encodeURIComponent(correlationId)}`
      await this.#post(path, { ...place, timestamp })
    } else this.send({ type, correlationId, ...place, timestamp })
  }

  /** An answer over REST; one that the cloud does not take is trouble, and ends nothing. */
  async #post(path: string, body: object): Promise<void> {
    await new Phone(this.#options)
      .request('POST', path, body)
      .catch((error: unknown) => this.#trouble(error instanceof Error ? error : new Error(String(error))))
  }

  #changeWifi(wifi: Wifi): void {
    this.#wifi = wifi
    if (this.isConnected && this.#model !== null) this.#reportGlasses('CONNECTED')
  }

  #reportGlasses(status: 'CONNECTED' | 'RECONNECTED' | 'DISCONNECTED'): void {
    const { clock } = this.#options
    const wifi = this.#wifi
    this.send({
      type: 'glasses_connection_state',
      modelName: this.#model,
      status,
      ...(wifi && { wifi }),
      timestamp: new Date(clock.now()).toISOString(),
    })
  }

  /** An emitter throws what nobody listens to; trouble on the network is no reason for that. */
  #trouble(error: Error): void {
    if (this.listenerCount('error') > 0) this.emit('error', error)
  }

  #now(): number {
    return this.#options.clock.now()
  }

  #lastTypes(): string {
    const types = this.#history.list().map((message) => message.type)
    return types.slice(-10).join(', ') || 'none'
  }
}
