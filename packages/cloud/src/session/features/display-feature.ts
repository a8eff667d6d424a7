import type { AppSession } from '../apps/app-session.ts'
import type { DeviceChange } from '../device.ts'
import { Display } from '../display/display.ts'
import type { AppDefinition } from '../ports.ts'
import type { AppHandlers, SessionContext, SessionFeature } from './feature.ts'

/** What the apps show on the lens, within the display rules. */
export class DisplayFeature implements SessionFeature {
  readonly #context: SessionContext
  readonly #display: Display
  static readonly appHandlers: AppHandlers<DisplayFeature> = {
    display_event: (feature, { view = 'main', layout, durationMs }, { packageName }) =>
      feature.#display.request(packageName, view, layout, durationMs),
  }

  /** @param unknown whether the lens may still show something from before this process */
  constructor(context: SessionContext, unknown: boolean) {
    this.#context = context
    const { clock, timing, systemPackage, device } = context
    this.#display = new Display({
      clock,
      timing,
      systemPackage,
      unknown,
      ready: () => context.isGlassesSocketOpen() && !device.isDisconnected,
      show: (packageName, view, layout) =>
        context.sendToGlasses({
          type: 'display_event',
          packageName,
          view,
          layout,
          timestamp: context.timestamp(),
        }),
    })
  }

  /** The display itself, for parts of the cloud that draw. */
  get display(): Display {
    return this.#display
  }

  /** An app is being launched: its name shows for a moment. */
  showBootScreen({ packageName, name }: AppDefinition): void {
    if (packageName !== this.#context.systemPackage) this.#display.boot(packageName, name)
  }

  onAppStarted({ packageName, app }: AppSession): void {
    if (app?.appType === 'STANDARD') this.#display.setMainApp(packageName)
  }

  onAppReset(packageName: string): void {
    this.#display.remove(packageName)
  }

  onGlassesConnected(): void {
    this.#display.resync()
  }

  onDeviceChanged({ glassesChanged }: DeviceChange): void {
    if (glassesChanged && !this.#context.device.isDisconnected) this.#display.resync()
  }
}
