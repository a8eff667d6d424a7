import {
  type GlassesToCloud,
  type OsSettingChanges,
  type OsSettingKey,
  type OsSettings,
  type PhoneSettings,
  parseCoreStatus,
} from '@glasses-cloud/contract'
import { Type } from 'typebox'
import { command, LONG_DEADLINE_MS, optional, promiseOf } from '../command.ts'
import { LazyMap } from '../lazy-collections.ts'
import { type AppSettings, appSettings, type StoreResult } from '../ports.ts'
import { GlassesDevice } from './glasses-device.ts'
import type { GlassesHandlers, SessionContext, SessionPart } from './part.ts'

type CoreStatusUpdate = Extract<GlassesToCloud, { type: 'core_status_update' }>

/**
 * The OS settings and the users' settings of apps. All OS settings are sent to every connected app when one changes. The
 * rows are authoritative: after they change, the writer calls `osChanged` or `appChanged` and they are read again.
 */
export class Settings implements SessionPart {
  static readonly glassesHandlers: GlassesHandlers<Settings> = {
    request_settings: (part) => part.#sendToGlasses({}),
    settings_update_request: (part) => part.#sendToGlasses(SUCCESS),
    augmentos_settings_update_request: (part) => part.#sendToGlasses(SUCCESS),
    core_status_update: (part, message) => part.#applyStatus(message),
  }

  static readonly commands = {
    /** Reads the OS settings and offline mode again because their rows changed; resolves once changes were sent to the apps. */
    osSettingsChanged: command(
      [],
      Type.Void(),
      (settings: Settings) => promiseOf<void>((resolve) => settings.osChanged(resolve)),
      { deadlineMs: LONG_DEADLINE_MS },
    ),
    /** Sends an app its settings because their row changed; resolves with whether the app is connected and was sent them. */
    appSettingsChanged: command(
      [Type.String()],
      Type.Boolean(),
      (settings: Settings, packageName) =>
        promiseOf<boolean>((resolve) => settings.appChanged(packageName, resolve)),
      { deadlineMs: LONG_DEADLINE_MS },
    ),
    /** Returns the settings of an app in the session; undefined if the app is not in it. */
    appSettings: command(
      [Type.String()],
      optional(appSettings),
      (settings: Settings, packageName) => settings.#ofApp(packageName),
      { deadlineMs: LONG_DEADLINE_MS },
    ),
  }

  readonly #context: SessionContext
  readonly #phoneReader: CoalescedReader<PhoneSettings>
  /** By package name. */
  readonly #appReaders = new LazyMap<string, CoalescedReader<AppSettings>>()
  #phone: PhoneSettings
  /** The last report of the glasses client, which repeats unchanged values. */
  #reported: OsSettingChanges = {}
  #reportedModel: string | null = null
  /** The changes that are being stored and are not in `#phone` yet. */
  #saving: OsSettingChanges | undefined
  /** Changes reported meanwhile. Saves are sequential, so that the last report wins (SET-25). */
  #unsaved: OsSettingChanges = {}
  #ended = false

  constructor(context: SessionContext) {
    this.#context = context
    this.#phone = context.phoneSettings
    this.#phoneReader = new CoalescedReader((done) => context.ports.loadPhoneSettings(done))
  }

  get os(): OsSettings {
    return this.#phone.os
  }

  /** Reads the stored phone settings again; calls `done` after changes were sent to the apps. */
  osChanged(done: () => void): void {
    this.#phoneReader.read((stored) => {
      if (!this.#ended) this.#applyPhoneSettings(stored)
      done()
    })
  }

  /**
   * Sends an app the user's settings after they changed in the database.
   * @param done called with whether the app is connected and was sent its settings
   */
  appChanged(packageName: string, done: (sent: boolean) => void): void {
    const { apps } = this.#context
    // An app that connects later receives them with its acknowledgement.
    if (!apps.get(packageName)?.peer) return done(false)
    this.loadApp(packageName, (stored) => {
      const session = apps.get(packageName)
      if (this.#ended || !session?.peer || !stored.ok) return done(false)
      const { sessionId, peer } = session
      const timestamp = this.#context.timestamp()
      peer.send({ type: 'settings_update', packageName, sessionId, settings: stored.value, timestamp })
      // The app SDK replaces its OS settings by the list above (app-socket.md §5.1).
      peer.send({ type: 'augmentos_settings_update', sessionId, settings: this.os, timestamp })
      done(true)
    })
  }

  /** Reads the stored settings of an app. */
  loadApp(packageName: string, done: (settings: StoreResult<AppSettings>) => void): void {
    const reader =
      this.#appReaders.get(packageName) ??
      new CoalescedReader<AppSettings>((read) => this.#context.ports.loadAppSettings(packageName, read))
    this.#appReaders.set(packageName, reader)
    reader.read((stored) => {
      if (!reader.isReading) this.#appReaders.delete(packageName)
      if (!stored.ok) this.#context.log('app_settings_load_failed', { packageName })
      done(stored)
    })
  }

  /** Forgets the last report, which may be of another client. */
  onGlassesConnected(): void {
    this.#reported = {}
    this.#reportedModel = null
  }

  onSessionEnded(): void {
    this.#ended = true
  }

  #ofApp(packageName: string): Promise<AppSettings | undefined> {
    return promiseOf((resolve, reject) => {
      if (!this.#context.apps.get(packageName)) return resolve(undefined)
      this.loadApp(packageName, (loaded) => {
        if (loaded.ok) resolve(loaded.value)
        else reject(new Error('The app settings could not be loaded'))
      })
    })
  }

  #applyPhoneSettings(stored: StoreResult<PhoneSettings>): void {
    if (!stored.ok) return this.#context.log('os_settings_load_failed')
    const { os, offlineMode } = stored.value
    const isOsChanged = Object.keys(differences(os, this.os)).length > 0
    if (!isOsChanged && offlineMode === this.#phone.offlineMode) return
    this.#phone = stored.value
    if (isOsChanged) this.#sendOsSettings()
    this.#context.forEachPart((part) => part.onPhoneSettingsChanged?.(this.#phone))
  }

  #sendOsSettings(): void {
    const timestamp = this.#context.timestamp()
    this.#context.sendToApps(({ sessionId }) => ({
      type: 'augmentos_settings_update',
      sessionId,
      settings: this.os,
      timestamp,
    }))
  }

  #applyStatus({ status }: CoreStatusUpdate): void {
    const report = parseCoreStatus(status)
    if (!report) return
    if (report.modelName !== this.#reportedModel) {
      this.#reportedModel = report.modelName
      this.#context.part(GlassesDevice).report({ modelName: report.modelName })
    }
    const expected = { ...this.os, ...this.#saving, ...this.#unsaved }
    const changes = differences(differences(report.settings, this.#reported), expected)
    this.#reported = report.settings
    this.#unsaved = { ...this.#unsaved, ...changes }
    if (!this.#saving) this.#save()
  }

  /** Stores the unsaved changes, if any. */
  #save(): void {
    const { ports, sendToGlasses, timestamp, log } = this.#context
    const changes = this.#unsaved
    this.#unsaved = {}
    this.#saving = undefined
    if (this.#ended || Object.keys(changes).length === 0) return
    this.#saving = changes
    ports.saveOsSettings(changes, ({ ok }) => {
      if (this.#ended) return
      if (ok) return this.osChanged(() => this.#save())
      log('os_settings_save_failed')
      // The client repeats its report every ten seconds; the next one is stored again (SET-23).
      this.#reported = {}
      sendToGlasses({
        type: 'augmentos_settings_update_error',
        success: false,
        message: 'The settings could not be stored',
        timestamp: timestamp(),
      })
      this.#save()
    })
  }

  #sendToGlasses(extra: typeof SUCCESS | Record<string, never>): void {
    const { userSessionId: sessionId, sendToGlasses, timestamp } = this.#context
    sendToGlasses({
      type: 'settings_update',
      sessionId,
      settings: this.os,
      ...extra,
      timestamp: timestamp(),
    })
  }
}

const SUCCESS = { success: true, message: 'Settings' } as const

/** Returns the entries of `settings` that have another value in `base`. */
function differences(settings: OsSettingChanges, base: OsSettingChanges): OsSettingChanges {
  const entries = Object.entries(settings).filter(([key, value]) => base[key as OsSettingKey] !== value)
  return Object.fromEntries(entries)
}

type Callback<Value> = (value: StoreResult<Value>) => void

/**
 * Serializes and coalesces reads of one stored value. Each caller receives the result of a read that started after its
 * call, so never a value older than one that was delivered before.
 */
export class CoalescedReader<Value> {
  readonly #read: (done: Callback<Value>) => void
  #waiting: Callback<Value>[] = []
  #isReading = false

  /** @param read starts one read */
  constructor(read: (done: Callback<Value>) => void) {
    this.#read = read
  }

  get isReading(): boolean {
    return this.#isReading
  }

  /** Calls back with the result of the next read that starts. */
  read(callback: Callback<Value>): void {
    this.#waiting.push(callback)
    if (!this.#isReading) this.#startRead()
  }

  #startRead(): void {
    this.#isReading = true
    const callbacks = this.#waiting.splice(0)
    this.#read((value) => {
      this.#isReading = this.#waiting.length > 0
      if (this.#isReading) this.#startRead()
      for (const callback of callbacks) callback(value)
    })
  }
}
