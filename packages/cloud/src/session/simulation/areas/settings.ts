import assert from 'node:assert/strict'
import {
  type AppSettingValue,
  type Message,
  OS_SETTING_DEFAULTS,
  type OsSettings,
} from '@glasses-cloud/contract'
import type { SessionPorts } from '../../ports.ts'
import type { Package } from '../cast.ts'
import type { World } from '../world.ts'
import type { Area, Step } from './area.ts'

/** Settings of the system and of apps, as they are stored, and as apps are told. */
export class Settings implements Area {
  readonly steps: readonly Step[] = [
    [3, 'glasses report settings', () => this.#report()],
    [3, 'settings of an app are saved', () => this.#save()],
  ]
  readonly ports: Partial<SessionPorts>
  readonly #world: World
  #os: OsSettings = OS_SETTING_DEFAULTS
  /** The version stored for each app. */
  readonly #versions = new Map<string, number>()
  /** What each app was told last; versions only grow. */
  readonly #told = new Map<string, { os: number; own: number }>()
  /** What could not be read, so that nobody was told. */
  readonly #unread = new Set<string>()
  #asked = 0
  #answered = 0

  constructor(world: World) {
    this.#world = world
    this.ports = {
      loadOsSettings: (done) => world.database.answer(done, () => this.#os, { answered: this.#read('os') }),
      loadAppSettings: (packageName, done) =>
        world.database.answer(done, () => this.#settingsOf(packageName), {
          answered: this.#read(packageName),
        }),
      saveOsSettings: (changes, done) => {
        const save = () => {
          this.#os = { ...this.#os, ...changes }
          return undefined
        }
        world.database.answer(done, save, { isWrite: true })
      },
    }
  }

  appHears(packageName: string, { type, settings, mentraosSettings }: Message): void {
    if (type === 'tpa_connection_ack') {
      this.#tell(packageName, 'os', versionOfOs(mentraosSettings))
      this.#tell(packageName, 'own', versionOfApp(settings))
    }
    if (type === 'augmentos_settings_update') this.#tell(packageName, 'os', versionOfOs(settings))
    if (type === 'settings_update') this.#tell(packageName, 'own', versionOfApp(settings))
  }

  checkAtRest(): void {
    assert.equal(this.#answered, this.#asked, 'who saves settings is told whether the app was')
    for (const packageName of this.#world.activeApps) {
      const { os, own } = this.#told.get(packageName) ?? {}
      if (!this.#unread.has('os'))
        assert.equal(os, this.#os.brightness, `${packageName} knows the OS settings`)
      if (!this.#unread.has(packageName))
        assert.equal(own, this.#versions.get(packageName) ?? 0, `${packageName} knows its settings`)
    }
  }

  #report(): void {
    const { currentGlasses, session } = this.#world
    if (!currentGlasses) return
    const status = {
      core_info: {},
      connected_glasses: { model_name: 'Mentra Live' },
      glasses_settings: { brightness: 100 + this.#world.serial() },
    }
    session.handleGlassesMessage(currentGlasses, { type: 'core_status_update', status: { status } })
  }

  #save(): void {
    const { random } = this.#world
    const packageName = this.#world.somePackage()
    for (let times = 1 + random.below(3); times > 0; times -= 1) this.#saveOne(packageName)
  }

  #saveOne(packageName: Package): void {
    const version = this.#world.serial()
    const save = () => void this.#versions.set(packageName, version)
    const saved = ({ ok }: { ok: boolean }) => {
      if (!ok) return
      this.#asked += 1
      this.#world.session.settings.appChanged(packageName, () => {
        this.#answered += 1
      })
    }
    this.#world.database.answer(saved, save, { isWrite: true })
  }

  #settingsOf(packageName: string): AppSettingValue[] {
    const value = this.#versions.get(packageName) ?? 0
    return [{ type: 'numeric_input', key: 'version', label: 'Version', value } as AppSettingValue]
  }

  #read(what: string) {
    return (ok: boolean) => void (ok ? this.#unread.delete(what) : this.#unread.add(what))
  }

  #tell(packageName: string, what: 'os' | 'own', version: number | undefined): void {
    if (version === undefined) return
    const told = this.#told.get(packageName) ?? { os: 0, own: 0 }
    assert(version >= told[what], `${packageName} is not told of settings that are older than what it knows`)
    this.#told.set(packageName, { ...told, [what]: version })
  }
}

function versionOfOs(settings: unknown): number | undefined {
  return (settings as { brightness?: number } | undefined)?.brightness
}

/** Nothing where they could not be read. */
function versionOfApp(settings: unknown): number | undefined {
  return (settings as { value?: number }[] | undefined)?.[0]?.value
}
