import type { Capabilities, GlassesConnectionState } from '@mentra/sdk'
import { expect, heard, type Step, wearerDoes } from '../step.ts'

/** The glasses themselves: how they are, what they can do, and where they are connected. */
export const glasses: readonly Step[] = [
  {
    name: 'state of the glasses',
    run: async ({ session }) => {
      const { state } = session.device
      const level = await wearerDoes<number | null>(session, 'Close the case', (hear) => {
        const first = state.caseBatteryLevel.valueOf()
        return state.caseBatteryLevel.onChange((now) => void (now !== first && hear(now)))
      })
      const { modelName } = state.getSnapshot()
      expect(state.connected.valueOf(), 'the glasses count as away')
      const { caseOpen, caseCharging, hotspotEnabled, hotspotSsid } = state
      const box = `${caseOpen.valueOf() ? 'open' : 'shut'}${caseCharging.valueOf() ? ' and charging' : ''}`
      const hotspot = hotspotEnabled.valueOf() ? hotspotSsid.valueOf() : 'off'
      return `${modelName}, case at ${level} %, ${box}, hotspot ${hotspot}`
    },
  },
  {
    name: 'other glasses',
    run: async ({ session }) => {
      const before = session.capabilities?.modelName
      await wearerDoes<{ capabilities: Capabilities | null }>(
        session,
        'Put on glasses with a camera',
        (hear) =>
          session.events.onCapabilitiesUpdate(
            (update) => void (update.capabilities?.hasCamera && hear(update)),
          ),
      )
      return `${before}, then ${session.capabilities?.modelName}`
    },
  },
  {
    name: 'Wi-Fi',
    run: async ({ session }) => {
      expect(!session.isWifiConnected(), 'there is Wi-Fi already')
      const connected = heard<GlassesConnectionState>('Wi-Fi', (hear) =>
        session.onGlassesConnectionState(
          (state: GlassesConnectionState) => void (session.isWifiConnected() && hear(state)),
        ),
      )
      session.requestWifiSetup('Streams need Wi-Fi')
      await connected
      return `connected to ${session.getWifiStatus()?.ssid}`
    },
  },
]
