import assert from 'node:assert/strict'
import { grants, type PhotoError } from '@glasses-cloud/contract'
import { DEFAULT_TIMING } from '../../timing.ts'
import { Ledger } from '../ledger.ts'
import type { World } from '../world.ts'
import type { Area, Step } from './area.ts'

const ids = ['photo0', 'photo1', 'photo2', 'photo3'] as const

/** Photos that apps ask for, and every way that can end: upload, refusal, word of the phone, deadline, silence. */
export class Photos implements Area {
  readonly steps: readonly Step[] = [
    [6, 'an app asks for a photo', () => this.#ask(this.#id())],
    [1, 'an app asks for many photos', () => this.#askMany()],
    [4, 'a photo comes', () => this.#claim()],
    [2, 'a photo comes for an app', () => this.#claim(this.#world.somePackage())],
    [1, 'a photo is refused', () => this.#refuse()],
    [2, 'the phone tells of a photo', () => this.#respond()],
  ]
  readonly ports = {
    reportPhotoError: (packageName: string, error: PhotoError) => this.#failed(packageName, error),
  }
  readonly #world: World
  readonly #ledger: Ledger
  readonly #asked = new Set<string>()
  /** Who was told why, since something was done. */
  #failures: { readonly packageName: string; readonly error: PhotoError }[] = []

  constructor(world: World) {
    this.#world = world
    this.#ledger = new Ledger(world, {
      what: 'photo',
      wait: DEFAULT_TIMING.photoTimeoutMs,
      bySocket: false,
      onlyGiven: true,
    })
  }

  appLost(packageName: string): void {
    this.#ledger.drop(packageName)
  }

  checkAlways(): void {
    this.#ledger.check()
  }

  checkAtRest(): void {
    this.#ledger.checkAtRest()
  }

  checkAfterEnd(): void {
    for (const id of this.#asked) {
      const { kind } = this.#world.session.photos.claim(id)
      assert.notEqual(kind, 'requested', 'nobody waits for a photo after the end')
    }
  }

  #ask(requestId: string, speaker = this.#world.speaker()): void {
    const world = this.#world
    if (!speaker) return
    const { packageName, say } = speaker
    const direct = world.random.chance(0.2)
    const before = world.askedOfGlasses('photo_request')
    const again = this.#ledger.find(requestId, packageName) !== undefined
    const open = this.#ledger.of(packageName).length
    const asked = again ? undefined : this.#ledger.ask(packageName, requestId, direct)
    if (asked) this.#ledger.give(asked)
    this.#failures = []
    say({
      type: 'photo_request',
      requestId,
      ...(direct ? { customWebhookUrl: 'https://app.test/photo' } : {}),
    })
    if (asked) this.#ledger.keep(asked)
    const told = world.askedOfGlasses('photo_request') - before
    const refusal = this.#failures[0]?.error
    if (!refusal) this.#asked.add(requestId)
    if (again) return assert.deepEqual([told, refusal], [0, undefined], 'a photo asked for twice is one')
    const allowed = grants(world.permissions(packageName), 'CAMERA')
    if (!allowed) assert.equal(refusal?.hop, 'permission', 'a photo needs the permission CAMERA')
    else if (!world.hasGlasses) assert.equal(refusal?.hop, 'glasses', 'a photo needs glasses')
    else if (open >= 10) assert(refusal, 'an app waits for ten photos at most')
    if (refusal) assert.equal(told, 0, 'glasses are not asked for what was refused')
    else if (world.currentGlasses) assert.equal(told, 1, 'glasses are asked once')
    assert(this.#ledger.of(packageName).length <= 10, 'an app waits for ten photos at most')
  }

  #askMany(): void {
    const speaker = this.#world.hearingSpeaker()
    if (!speaker) return
    for (let photo = 0; photo < 12; photo += 1) this.#ask(`many${photo}`, speaker)
  }

  #claim(packageName?: string): void {
    const id = this.#id()
    const expected = this.#ledger.find(id, packageName)
    if (expected && !expected.quiet) this.#ledger.settle(expected)
    const claim = this.#world.session.photos.claim(id, packageName)
    if (!expected || expected.quiet) {
      const unasked = packageName === undefined && !this.#asked.has(id)
      return assert.equal(claim.kind, unasked ? 'unrequested' : 'completed', 'nobody waits for that photo')
    }
    assert.equal(claim.kind, 'requested', 'a photo that is waited for is taken')
    if (claim.kind === 'requested')
      assert.deepEqual([claim.packageName, claim.requestId], [expected.packageName, id], 'by whom it is for')
  }

  #refuse(): void {
    const packageName = this.#world.random.chance(0.5) ? this.#world.somePackage() : undefined
    const id = this.#id()
    const expected = this.#ledger.find(id, packageName)
    if (expected) this.#ledger.give(expected)
    this.#tells(expected?.packageName, () => this.#world.session.photos.reject(id, packageName, 'too large'))
  }

  #respond(): void {
    const world = this.#world
    const requestId = this.#id()
    const success = world.random.chance(0.4)
    const bySocket = world.random.chance(0.5)
    const glasses = world.currentGlasses
    if (bySocket && !glasses) return
    const expected = this.#ledger.find(requestId)
    if (success && expected?.quiet) this.#ledger.settle(expected)
    const response = success ? { requestId, success } : { requestId, success, errorCode: 'CAMERA_BUSY' }
    if (expected && !success) this.#ledger.give(expected)
    this.#tells(success ? undefined : expected?.packageName, () => {
      if (bySocket && glasses)
        world.session.handleGlassesMessage(glasses, { type: 'photo_response', ...response })
      else world.session.photos.respond(response)
    })
  }

  #tells(packageName: string | undefined, act: () => void): void {
    this.#failures = []
    act()
    const told = this.#failures.map((failure) => failure.packageName)
    assert.deepEqual(
      told,
      packageName === undefined ? [] : [packageName],
      'who waits is told, and nobody else',
    )
  }

  #failed(packageName: string, error: PhotoError): void {
    this.#failures.push({ packageName, error })
    this.#ledger.answered(packageName, error.requestId)
  }

  #id(): string {
    return this.#world.random.pick(ids)
  }
}
