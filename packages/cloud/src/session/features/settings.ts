import {
  type GlassesToCloud,
  type OsSettingChanges,
  type OsSettingKey,
  type OsSettings,
  readCoreStatus,
} from '@glasses-cloud/contract'
import type { AppSettings, StoreResult } from '../ports.ts'
import { CoalescedReader } from './coalesced-reader.ts'
import type { GlassesHandlers, SessionContext, SessionFeature } from './feature.ts'

/** Whom the settings tell. */
export interface SettingsReports {
  /** Other glasses are connected, or none. */
  model(modelName: string | null): void
  /** OS settings have other values. */
  changed(os: OsSettings): void
}

type CoreStatusUpdate = Extract<GlassesToCloud, { type: 'core_status_update' }>

/**
 * Keeps the OS settings, tells every connected app the whole set when one changed, and gives apps their own settings.
 * What is stored counts: whoever stores something says so here, and it is read again.
 */
export class Settings implements SessionFeature {
  readonly #context: SessionContext
  readonly #report: SettingsReports
  readonly #osReads: CoalescedReader<OsSettings>
  readonly #appReads = new Map<string, CoalescedReader<AppSettings>>()
  #os: OsSettings
  /** What the glasses client said last; it repeats itself, and what it repeats is no change. */
  #reported: OsSettingChanges = {}
  #reportedModel: string | null = null
  /** What is being stored, and is not in `#os` yet. */
  #saving: OsSettingChanges | undefined
  /** What the client said meanwhile; one save after another, so that its last word is what stays. */
  #unsaved: OsSettingChanges = {}
  #ended = false
  static readonly glassesHandlers: GlassesHandlers<Settings> = {
    request_settings: (feature) => feature.#answer({}),
    settings_update_request: (feature) => feature.#answer(asked),
    augmentos_settings_update_request: (feature) => feature.#answer(asked),
    core_status_update: (feature, message) => feature.#statusUpdate(message),
  }

  /**
   * @param os as they were stored when the session began
   * @param report where news goes
   */
  constructor(context: SessionContext, os: OsSettings, report: SettingsReports) {
    this.#context = context
    this.#os = os
    this.#report = report
    this.#osReads = new CoalescedReader((done) => context.ports.loadOsSettings(done))
  }

  /** The OS settings as they are. */
  get os(): OsSettings {
    return this.#os
  }

  /** OS settings may have changed where they are stored. `done` is called when the apps know them. */
  osChanged(done: () => void): void {
    this.#osReads.read((stored) => {
      if (!this.#ended) this.#takeOs(stored)
      done()
    })
  }

  /**
   * A user's settings of an app changed where they are stored.
   * @param done told whether the app, connected here, was sent them
   */
  appChanged(packageName: string, done: (sent: boolean) => void): void {
    const { apps } = this.#context
    // The acknowledgement of an app that connects later has them.
    if (!apps.get(packageName)?.peer) return done(false)
    this.ofApp(packageName, (stored) => {
      const session = apps.get(packageName)
      if (this.#ended || !session?.peer || !stored.ok) return done(false)
      const { sessionId, peer } = session
      const timestamp = this.#context.timestamp()
      peer.send({ type: 'settings_update', packageName, sessionId, settings: stored.value, timestamp })
      // The app SDK puts the list above in the place of its OS settings (app socket protocol, 5.1-3).
      peer.send({ type: 'augmentos_settings_update', sessionId, settings: this.#os, timestamp })
      done(true)
    })
  }

  /** The user's settings of an app, as they are stored now. */
  ofApp(packageName: string, done: (settings: StoreResult<AppSettings>) => void): void {
    const reads =
      this.#appReads.get(packageName) ??
      new CoalescedReader<AppSettings>((read) => this.#context.ports.loadAppSettings(packageName, read))
    this.#appReads.set(packageName, reads)
    reads.read((stored) => {
      if (!reads.isReading) this.#appReads.delete(packageName)
      if (!stored.ok) this.#context.log('app_settings_unreadable', { packageName })
      done(stored)
    })
  }

  /** Another client, or the same anew: what it says first is news. */
  onGlassesConnected(): void {
    this.#reported = {}
    this.#reportedModel = null
  }

  onSessionEnded(): void {
    this.#ended = true
  }

  #takeOs(stored: StoreResult<OsSettings>): void {
    if (!stored.ok) return this.#context.log('os_settings_unreadable')
    if (Object.keys(differences(stored.value, this.#os)).length === 0) return
    this.#os = stored.value
    const timestamp = this.#context.timestamp()
    this.#context.sendToApps(({ sessionId }) => ({
      type: 'augmentos_settings_update',
      sessionId,
      settings: this.#os,
      timestamp,
    }))
    this.#report.changed(this.#os)
  }

  #statusUpdate({ status }: CoreStatusUpdate): void {
    const read = readCoreStatus(status)
    if (!read) return
    if (read.modelName !== this.#reportedModel) {
      this.#reportedModel = read.modelName
      this.#report.model(read.modelName)
    }
    const expected = { ...this.#os, ...this.#saving, ...this.#unsaved }
    const news = differences(differences(read.settings, this.#reported), expected)
    this.#reported = read.settings
    this.#unsaved = { ...this.#unsaved, ...news }
    if (!this.#saving) this.#save()
  }

  /** Stores what is not stored yet, if anything. */
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
      log('os_settings_not_stored')
      // So that the next status, ten seconds from now, is news again.
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

  #answer(extra: typeof asked | Record<string, never>): void {
    const { userSessionId: sessionId, sendToGlasses, timestamp } = this.#context
    sendToGlasses({
      type: 'settings_update',
      sessionId,
      settings: this.#os,
      ...extra,
      timestamp: timestamp(),
    })
  }
}

const asked = { success: true, message: 'Settings' } as const

/** What of `some` has another value than in `others`. */
function differences(some: OsSettingChanges, others: OsSettingChanges): OsSettingChanges {
  const entries = Object.entries(some).filter(([key, value]) => others[key as OsSettingKey] !== value)
  return Object.fromEntries(entries)
}
