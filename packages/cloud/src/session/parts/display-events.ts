import type { AppSession } from '../apps/app-session.ts'
import type { DeviceChange } from '../device.ts'
import { Display } from '../display/display.ts'
import type { AppDefinition } from '../ports.ts'
import type { AppHandlers, SessionContext, SessionPart } from './part.ts'

/** Forwards display events of apps to the display, and session events that change what it shows. */
export class DisplayEvents implements SessionPart {
  readonly #context: SessionContext
  readonly #display: Display
  static readonly appHandlers: AppHandlers<DisplayEvents> = {
    display_event: (part, { view = 'main', layout, durationMs }, { packageName }) =>
      part.#display.setContent(packageName, view, layout, durationMs),
  }

  constructor(context: SessionContext) {
    this.#context = context
    const { clock, timing, systemPackage, device } = context
    this.#display = new Display({
      clock,
      timing,
      systemPackage,
      // The glasses may still show something from an earlier process.
      mayShowOldContent: context.isResumed,
      isConnected: () => context.isGlassesSocketOpen() && !device.isDisconnected,
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

  get display(): Display {
    return this.#display
  }

  onAppLaunch({ packageName, name }: AppDefinition): void {
    if (packageName !== this.#context.systemPackage) this.#display.showBootScreen(packageName, name)
  }

  onAppStarted({ packageName, definition }: AppSession): void {
    if (definition && this.#context.apps.isMainApp(definition)) this.#display.setMainApp(packageName)
  }

  onAppUnresponsive({ packageName, definition }: AppSession, isGivenUp: boolean): void {
    if (!definition || packageName === this.#context.systemPackage) return
    const text = isGivenUp ? 'It does not respond and was stopped.' : 'It does not respond.'
    this.#display.showNotice(packageName, definition.name, text)
  }

  onPhoneRefused(): void {
    const { systemPackage } = this.#context
    this.#display.showNotice(
      systemPackage,
      'Two phones',
      'Another phone of your account tries to connect too.',
    )
  }

  onAppReset(packageName: string): void {
    this.#display.removeApp(packageName)
  }

  onGlassesConnected(): void {
    this.#display.resync()
  }

  onDeviceChanged({ glassesChanged }: DeviceChange): void {
    if (glassesChanged && !this.#context.device.isDisconnected) this.#display.resync()
  }
}
