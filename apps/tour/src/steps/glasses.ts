import type { Capabilities, GlassesConnectionState } from '@mentra/sdk'
import { expect, promptUser, type Step, waitForEvent } from '../step.ts'

/** State, capabilities and Wi-Fi of the glasses. */
export const glasses: readonly Step[] = [
  {
    name: 'device state',
    run: async ({ session }) => {
      const { state } = session.device
      const level = await promptUser<number | null>(session, 'Close the case', (resolve) => {
        const first = state.caseBatteryLevel.valueOf()
        return state.caseBatteryLevel.onChange((now) => void (now !== first && resolve(now)))
      })
      const { modelName } = state.getSnapshot()
      expect(state.connected.valueOf(), 'the glasses are reported as disconnected')
      const { caseOpen, caseCharging, hotspotEnabled, hotspotSsid } = state
      const caseState = `${caseOpen.valueOf() ? 'open' : 'closed'}${caseCharging.valueOf() ? ' and charging' : ''}`
      const hotspot = hotspotEnabled.valueOf() ? hotspotSsid.valueOf() : 'off'
      return `${modelName}, case ${level} %, ${caseState}, hotspot ${hotspot}`
    },
  },
  {
    name: 'other glasses',
    run: async ({ session }) => {
      const before = session.capabilities?.modelName
      await promptUser<{ capabilities: Capabilities | null }>(
        session,
        'Put on glasses with a camera',
        (resolve) =>
          session.events.onCapabilitiesUpdate(
            (update) => void (update.capabilities?.hasCamera && resolve(update)),
          ),
      )
      return `${before}, then ${session.capabilities?.modelName}`
    },
  },
  {
    name: 'Wi-Fi',
    run: async ({ session }) => {
      expect(!session.isWifiConnected(), 'Wi-Fi is already connected')
      const connected = waitForEvent<GlassesConnectionState>('Wi-Fi', (resolve) =>
        session.onGlassesConnectionState(
          (state: GlassesConnectionState) => void (session.isWifiConnected() && resolve(state)),
        ),
      )
      session.requestWifiSetup('Streams need Wi-Fi')
      await connected
      return `connected to ${session.getWifiStatus()?.ssid}`
    },
  },
]
