import assert from 'node:assert/strict'
import type { Message } from '@glasses-cloud/contract'
import { DEFAULT_TIMING } from '../../timing.ts'
import type { AppClient, Environment } from '../environment.ts'
import { RequestTracker, type TrackedRequest } from '../request-tracker.ts'
import type { Area, Step } from './area.ts'

/** Pending requests per app. */
const MAX_PENDING = 50

const REQUEST_IDS = ['output0', 'output1', 'output2'] as const

/** A kind of command: its messages and its timeout. */
interface CommandKind {
  readonly name: string
  readonly timeoutMs: number
  readonly request: 'audio_play_request' | 'rgb_led_control'
  readonly response: 'audio_play_response' | 'rgb_led_control_response'
  sendRequest(client: AppClient, requestId: string): void
}

const AUDIO_PLAYBACK: CommandKind = {
  name: 'sound',
  timeoutMs: DEFAULT_TIMING.audioPlayTimeoutMs,
  request: 'audio_play_request',
  response: 'audio_play_response',
  sendRequest: ({ send }, requestId) =>
    send({
      type: 'audio_play_request',
      requestId,
      audioUrl: requestId === 'bad' ? 'ftp://a/b' : 'https://a/b',
    }),
}

const LED_CONTROL: CommandKind = {
  name: 'light',
  timeoutMs: DEFAULT_TIMING.ledControlTimeoutMs,
  request: 'rgb_led_control',
  response: 'rgb_led_control_response',
  sendRequest: ({ send }, requestId) => send({ type: 'rgb_led_control', requestId, action: 'on' }),
}

/** Commands of apps to the glasses, and the responses. */
abstract class DeviceCommands implements Area {
  readonly steps: readonly Step[]
  readonly #env: Environment
  readonly #kind: CommandKind
  readonly #requests: RequestTracker
  /** Requests by the id that the glasses received. */
  readonly #sentToGlasses = new Map<string, TrackedRequest>()
  #current: TrackedRequest | undefined
  /** The apps that received a response during the current step. */
  #answeredApps: string[] = []

  constructor(env: Environment, kind: CommandKind) {
    this.#env = env
    this.#kind = kind
    this.#requests = new RequestTracker(env, {
      kind: kind.name,
      timeoutMs: kind.timeoutMs,
      needsSocket: true,
      hasOnlyMarkedResponses: true,
    })
    this.steps = [
      [5, `an app requests a ${kind.name}`, () => this.#request(env.random.pick([...REQUEST_IDS, 'bad']))],
      [1, `an app sends many requests for a ${kind.name}`, () => this.#requestMany()],
      [4, `the glasses answer a ${kind.name}`, () => this.#respond()],
    ]
  }

  onAppMessage(packageName: string, { type, requestId }: Message): void {
    if (type !== this.#kind.response) return
    this.#answeredApps.push(packageName)
    this.#requests.onResponse(packageName, String(requestId))
  }

  onGlassesMessage(_peer: unknown, { type, requestId, packageName }: Message): void {
    if (type !== this.#kind.request) return
    const request = this.#current ?? this.#sentBefore(String(packageName), String(requestId))
    assert.equal(packageName, request.packageName, 'the command names the app that sent the request')
    this.#sentToGlasses.set(String(requestId), request)
  }

  /** The request that a phone which reconnected receives again, or for the first time if its last socket was broken. */
  #sentBefore(packageName: string, glassesId: string): TrackedRequest {
    const sent = this.#sentToGlasses.get(glassesId)
    if (this.#requests.isUnanswered(sent) && sent) return sent
    const lost = this.#requests.unansweredOf(packageName).find(({ id }) => glassesId.startsWith(id))
    assert(lost, `only what is not answered is sent again (${packageName} ${glassesId})`)
    return lost
  }

  onAppLost(packageName: string): void {
    this.#requests.removeAllOf(packageName)
  }

  checkAlways(): void {
    this.#requests.check()
  }

  checkAtRest(): void {
    this.#requests.checkAtRest()
  }

  #request(id: string, client = this.#env.pickClient()): void {
    const env = this.#env
    if (!client) return
    const { packageName } = client
    const isAcknowledged = env.appSockets.acknowledgedSince(packageName) !== undefined
    const isSocketBroken = env.hasAttachedGlasses && !env.currentGlasses
    // The outcome could not be observed.
    if (!isAcknowledged && isSocketBroken) return
    // The glasses do not receive this request. A unique id keeps it apart from a later request with the same id.
    const requestId = isSocketBroken ? `lost${env.nextSerial()}` : id
    const unanswered = this.#requests.unansweredOf(packageName)
    const isDuplicate = unanswered.some(({ id }) => id === requestId)
    const before = env.countSentToGlasses(this.#kind.request)
    this.#current = isDuplicate ? undefined : this.#requests.add(packageName, requestId)
    this.#answeredApps = []
    const oldest = unanswered.length >= MAX_PENDING && !isDuplicate ? unanswered[0] : undefined
    if (this.#current) this.#requests.markAnswered(this.#current)
    if (oldest) this.#requests.markAnswered(oldest)
    this.#kind.sendRequest(client, requestId)
    const sent = env.countSentToGlasses(this.#kind.request) - before
    const current = this.#current
    this.#current = undefined
    if (!current)
      return assert.deepEqual([sent, this.#answeredApps], [0, []], 'a duplicate request is ignored')
    const isRejected = isAcknowledged ? !this.#requests.pending.includes(current) : sent === 0
    if (!isRejected) this.#requests.unmarkAnswered(current)
    else if (oldest) this.#requests.unmarkAnswered(oldest)
    if (!env.hasAttachedGlasses) assert(isRejected, 'a request without glasses is rejected')
    if (env.currentGlasses)
      assert.equal(sent, isRejected ? 0 : 1, 'the glasses receive each accepted request once')
    this.#requests.checkDelivered(packageName)
  }

  #requestMany(): void {
    const client = this.#env.pickAcknowledgedClient()
    if (!client) return
    for (let index = 0; index <= MAX_PENDING; index += 1) this.#request(`many${index}`, client)
  }

  #respond(): void {
    const { random, currentGlasses, session } = this.#env
    if (!currentGlasses) return
    const requestId = random.pick([...this.#sentToGlasses.keys(), 'unknown'])
    const request = this.#sentToGlasses.get(requestId)
    const expected = this.#requests.isUnanswered(request) ? request : undefined
    if (expected) this.#requests.markAnswered(expected)
    this.#answeredApps = []
    session.handleGlassesMessage(currentGlasses, {
      type: this.#kind.response,
      requestId,
      success: random.chance(0.5),
    })
    const isAcknowledged =
      expected && this.#env.appSockets.acknowledgedSince(expected.packageName) !== undefined
    assert.deepEqual(
      this.#answeredApps,
      isAcknowledged ? [expected.packageName] : [],
      'only the requesting app receives the response',
    )
  }
}

export class AudioPlayback extends DeviceCommands {
  constructor(env: Environment) {
    super(env, AUDIO_PLAYBACK)
  }
}

export class LedControl extends DeviceCommands {
  constructor(env: Environment) {
    super(env, LED_CONTROL)
  }
}
