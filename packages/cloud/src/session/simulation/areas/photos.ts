import assert from 'node:assert/strict'
import { grants, type PhotoError } from '@glasses-cloud/contract'
import { Photos as PhotosPart } from '../../parts/photos.ts'
import { DEFAULT_TIMING } from '../../timing.ts'
import type { Environment } from '../environment.ts'
import { RequestTracker } from '../request-tracker.ts'
import type { Area, Step } from './area.ts'

const ids = ['photo0', 'photo1', 'photo2', 'photo3'] as const

/** Photo requests and every way they end: upload, rejection, response of the phone, timeout. */
export class Photos implements Area {
  readonly steps: readonly Step[] = [
    [6, 'an app requests a photo', () => this.#request(this.#pickId())],
    [1, 'an app requests many photos', () => this.#requestMany()],
    [4, 'a photo is uploaded', () => this.#claim()],
    [2, 'a photo is uploaded for an app', () => this.#claim(this.#env.pickPackage())],
    [1, 'a photo is rejected', () => this.#rejectUpload()],
    [2, 'the phone answers a photo request', () => this.#respond()],
  ]
  readonly ports = {
    reportPhotoError: (packageName: string, error: PhotoError) => this.#onError(packageName, error),
  }
  readonly #env: Environment
  readonly #requests: RequestTracker
  readonly #requestedIds = new Set<string>()
  /** The errors that apps received during the current step. */
  #failures: { readonly packageName: string; readonly error: PhotoError }[] = []

  constructor(env: Environment) {
    this.#env = env
    this.#requests = new RequestTracker(env, {
      kind: 'photo',
      timeoutMs: DEFAULT_TIMING.photoTimeoutMs,
      needsSocket: false,
      hasOnlyMarkedResponses: true,
    })
  }

  /** The session fails the requests of an app that loses the permission `CAMERA`. */
  onPermissionsEdited(packageName: string): void {
    if (grants(this.#env.permissions(packageName), 'CAMERA')) return
    for (const request of this.#requests.pendingOf(packageName)) this.#requests.markAnswered(request)
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

  checkAfterEnd(): void {
    for (const id of this.#requestedIds) {
      const { kind } = this.#env.session.part(PhotosPart).claim(id)
      assert.notEqual(kind, 'requested', 'no photo request is pending after the end')
    }
  }

  #request(requestId: string, client = this.#env.pickClient()): void {
    const env = this.#env
    if (!client) return
    const { packageName, send } = client
    const isDirect = env.random.chance(0.2)
    const before = env.countSentToGlasses('photo_request')
    const isDuplicate = this.#requests.find(requestId, packageName) !== undefined
    const pending = this.#requests.pendingOf(packageName).length
    const request = isDuplicate ? undefined : this.#requests.add(packageName, requestId, isDirect)
    if (request) this.#requests.markAnswered(request)
    this.#failures = []
    send({
      type: 'photo_request',
      requestId,
      ...(isDirect ? { customWebhookUrl: 'https://app.test/photo' } : {}),
    })
    if (request) this.#requests.unmarkAnswered(request)
    const sent = env.countSentToGlasses('photo_request') - before
    const rejection = this.#failures[0]?.error
    if (!rejection) this.#requestedIds.add(requestId)
    if (isDuplicate)
      return assert.deepEqual([sent, rejection], [0, undefined], 'a duplicate request is ignored')
    const allowed = grants(env.permissions(packageName), 'CAMERA')
    if (!allowed) assert.equal(rejection?.hop, 'permission', 'a photo requires the permission CAMERA')
    else if (!env.hasAttachedGlasses) assert.equal(rejection?.hop, 'glasses', 'a photo requires glasses')
    else if (pending >= 10) assert(rejection, 'an app has at most ten pending photos')
    if (rejection) assert.equal(sent, 0, 'the glasses do not receive a rejected request')
    else if (env.currentGlasses) assert.equal(sent, 1, 'the glasses receive each accepted request once')
    assert(this.#requests.pendingOf(packageName).length <= 10, 'an app has at most ten pending photos')
  }

  #requestMany(): void {
    const client = this.#env.pickAcknowledgedClient()
    if (!client) return
    for (let photo = 0; photo < 12; photo += 1) this.#request(`many${photo}`, client)
  }

  #claim(packageName?: string): void {
    const id = this.#pickId()
    const expected = this.#requests.find(id, packageName)
    if (expected && !expected.isSilent) this.#requests.remove(expected)
    const claim = this.#env.session.part(PhotosPart).claim(id, packageName)
    if (!expected || expected.isSilent) {
      const wasNeverRequested = packageName === undefined && !this.#requestedIds.has(id)
      return assert.equal(
        claim.kind,
        wasNeverRequested ? 'unrequested' : 'completed',
        'the upload matches no pending request',
      )
    }
    assert.equal(claim.kind, 'requested', 'an upload that matches a pending request is accepted')
    if (claim.kind === 'requested')
      assert.deepEqual(
        [claim.packageName, claim.requestId],
        [expected.packageName, id],
        'the upload is delivered to the requesting app',
      )
  }

  #rejectUpload(): void {
    const packageName = this.#env.random.chance(0.5) ? this.#env.pickPackage() : undefined
    const id = this.#pickId()
    const expected = this.#requests.find(id, packageName)
    if (expected) this.#requests.markAnswered(expected)
    this.#expectError(expected?.packageName, () =>
      this.#env.session.part(PhotosPart).reject(id, packageName, 'too large'),
    )
  }

  #respond(): void {
    const env = this.#env
    const requestId = this.#pickId()
    const success = env.random.chance(0.4)
    const bySocket = env.random.chance(0.5)
    const glasses = env.currentGlasses
    if (bySocket && !glasses) return
    const expected = this.#requests.find(requestId)
    if (success && expected?.isSilent) this.#requests.remove(expected)
    const response = success ? { requestId, success } : { requestId, success, errorCode: 'CAMERA_BUSY' }
    if (expected && !success) this.#requests.markAnswered(expected)
    this.#expectError(success ? undefined : expected?.packageName, () => {
      if (bySocket && glasses)
        env.session.handleGlassesMessage(glasses, { type: 'photo_response', ...response })
      else env.session.part(PhotosPart).respond(response)
    })
  }

  #expectError(packageName: string | undefined, act: () => void): void {
    this.#failures = []
    act()
    const notified = this.#failures.map((failure) => failure.packageName)
    assert.deepEqual(
      notified,
      packageName === undefined ? [] : [packageName],
      'only the requesting app is notified',
    )
  }

  #onError(packageName: string, error: PhotoError): void {
    this.#failures.push({ packageName, error })
    this.#requests.onResponse(packageName, error.requestId)
  }

  #pickId(): string {
    return this.#env.random.pick(ids)
  }
}
