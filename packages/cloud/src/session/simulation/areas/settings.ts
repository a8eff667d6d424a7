import assert from 'node:assert/strict'
import {
  type AppSettingValue,
  type Message,
  OS_SETTING_DEFAULTS,
  type OsSettings,
} from '@glasses-cloud/contract'
import { Settings as SettingsPart } from '../../parts/settings.ts'
import type { SessionPorts } from '../../ports.ts'
import type { Environment } from '../environment.ts'
import type { Package } from '../fixtures.ts'
import type { Area, Step } from './area.ts'

/** OS settings and app settings: the stored values, and the values that apps received. */
export class Settings implements Area {
  readonly steps: readonly Step[] = [
    [3, 'the glasses report OS settings', () => this.#report()],
    [3, 'the settings of an app are saved', () => this.#save()],
  ]
  readonly ports: Partial<SessionPorts>
  readonly #env: Environment
  #os: OsSettings = OS_SETTING_DEFAULTS
  /** The stored version by package name. */
  readonly #versions = new Map<string, number>()
  /** The versions that each app received last. Versions only increase. */
  readonly #received = new Map<string, { os: number; own: number }>()
  /** Settings whose last read failed, so that no update was sent. */
  readonly #failedReads = new Set<string>()
  #saves = 0
  #confirmations = 0

  constructor(env: Environment) {
    this.#env = env
    this.ports = {
      loadPhoneSettings: (done) =>
        env.database.execute(done, () => ({ os: this.#os, offlineMode: false }), {
          onCompleted: this.#recordRead('os'),
        }),
      loadAppSettings: (packageName, done) =>
        env.database.execute(done, () => this.#settingsOf(packageName), {
          onCompleted: this.#recordRead(packageName),
        }),
      saveOsSettings: (changes, done) => {
        const save = () => {
          this.#os = { ...this.#os, ...changes }
          return undefined
        }
        env.database.execute(done, save, { isWrite: true })
      },
    }
  }

  onAppMessage(packageName: string, { type, settings, mentraosSettings }: Message): void {
    if (type === 'tpa_connection_ack') {
      this.#receive(packageName, 'os', osVersion(mentraosSettings))
      this.#receive(packageName, 'own', appVersion(settings))
    }
    if (type === 'augmentos_settings_update') this.#receive(packageName, 'os', osVersion(settings))
    if (type === 'settings_update') this.#receive(packageName, 'own', appVersion(settings))
  }

  checkAtRest(): void {
    assert.equal(this.#confirmations, this.#saves, 'every save is confirmed')
    for (const packageName of this.#env.activeApps) {
      const { os, own } = this.#received.get(packageName) ?? {}
      if (!this.#failedReads.has('os'))
        assert.equal(os, this.#os.brightness, `${packageName} has the current OS settings`)
      if (!this.#failedReads.has(packageName))
        assert.equal(own, this.#versions.get(packageName) ?? 0, `${packageName} has its current settings`)
    }
  }

  #report(): void {
    const { currentGlasses, session } = this.#env
    if (!currentGlasses) return
    const status = {
      core_info: {},
      connected_glasses: { model_name: 'Mentra Live' },
      glasses_settings: { brightness: 100 + this.#env.nextSerial() },
    }
    session.handleGlassesMessage(currentGlasses, { type: 'core_status_update', status: { status } })
  }

  #save(): void {
    const { random } = this.#env
    const packageName = this.#env.pickPackage()
    for (let count = 1 + random.below(3); count > 0; count -= 1) this.#saveOne(packageName)
  }

  #saveOne(packageName: Package): void {
    const version = this.#env.nextSerial()
    const save = () => void this.#versions.set(packageName, version)
    const onSaved = ({ ok }: { ok: boolean }) => {
      if (!ok) return
      this.#saves += 1
      this.#env.session.part(SettingsPart).appChanged(packageName, () => {
        this.#confirmations += 1
      })
    }
    this.#env.database.execute(onSaved, save, { isWrite: true })
  }

  #settingsOf(packageName: string): AppSettingValue[] {
    const value = this.#versions.get(packageName) ?? 0
    return [{ type: 'numeric_input', key: 'version', label: 'Version', value } as AppSettingValue]
  }

  #recordRead(key: string) {
    return (ok: boolean) => void (ok ? this.#failedReads.delete(key) : this.#failedReads.add(key))
  }

  #receive(packageName: string, kind: 'os' | 'own', version: number | undefined): void {
    if (version === undefined) return
    const received = this.#received.get(packageName) ?? { os: 0, own: 0 }
    assert(version >= received[kind], `${packageName} receives no settings older than those it has`)
    this.#received.set(packageName, { ...received, [kind]: version })
  }
}

function osVersion(settings: unknown): number | undefined {
  return (settings as { brightness?: number } | undefined)?.brightness
}

/** Undefined if the settings could not be read. */
function appVersion(settings: unknown): number | undefined {
  return (settings as { value?: number }[] | undefined)?.[0]?.value
}
