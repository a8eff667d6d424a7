import {
  type AppliedDeviceState,
  appliedDeviceState,
  type CloudToApp,
  type DeviceReport,
  deviceReport,
  type GlassesToCloud,
} from '@glasses-cloud/contract'
import type { AppSession } from '../apps/app-session.ts'
import { command } from '../command.ts'
import type { DeviceState } from '../device.ts'
import type { Peer } from '../peer.ts'
import { type GlassesHandlers, type SessionContext, type SessionPart, SubscriptionTracker } from './part.ts'

/** The streams whose new subscribers receive the last value. */
const STREAMS = ['glasses_connection_state'] as const

/** What phones report before glasses are connected, and after. */
const NOT_CONNECTED = /^(?:disconnect(?:ed|ing)|(?:re)?connecting|scanning|searching|bonding|pairing)$/i

type ConnectionState = Extract<GlassesToCloud, { type: 'glasses_connection_state' }>
type Battery = Extract<GlassesToCloud, { type: 'glasses_battery_update' }>

/**
 * The state of the glasses, sent to apps as `device_state_update` and as the older streams `glasses_connection_state`
 * and `glasses_battery_update`. Phones that report over REST do not send the streams, so their frames are generated
 * from the changes (glasses-socket.md §7).
 */
export class GlassesDevice implements SessionPart {
  static readonly glassesHandlers: GlassesHandlers<GlassesDevice> = {
    glasses_connection_state: (part, message) => part.#reportConnection(message),
    glasses_battery_update: (part, message) => part.#reportBattery(message),
  }

  static readonly commands = {
    /** Applies a full or partial report of the state of the glasses. */
    reportDevice: command([deviceReport], appliedDeviceState, (device: GlassesDevice, report) =>
      device.report(report),
    ),
  }

  readonly #context: SessionContext
  readonly #subscriptions: SubscriptionTracker
  /** The last frame of the stream, which the app SDK caches (app-socket.md §2.3). */
  #connectionState: ConnectionState | undefined

  constructor(context: SessionContext) {
    this.#context = context
    this.#subscriptions = new SubscriptionTracker(context.subscriptions, STREAMS)
  }

  /**
   * Merges a full or partial report of the phone into the state.
   * @returns the state that results
   */
  report(report: DeviceReport): AppliedDeviceState {
    const changed = this.#apply(report)
    if (['connected', 'modelName', 'wifiConnected', 'wifiSsid'].some((key) => key in changed))
      this.#relayConnection()
    if ('batteryLevel' in changed || 'charging' in changed) this.#relayBattery()
    const { connected = false, modelName, capabilities } = this.#context.device
    const isPhoneConnected = this.#context.isGlassesSocketOpen()
    return { isGlassesConnected: connected, isPhoneConnected, modelName, capabilities }
  }

  onAppConnected(session: AppSession, peer: Peer): void {
    this.#subscriptions.reset(session.packageName)
    peer.send(this.#stateMessage(session, this.#context.device.state, true))
    const { sessionId } = session
    const envelope = {
      sessionId,
      streamType: 'glasses_connection_state',
      timestamp: this.#context.timestamp(),
    }
    if (this.#connectionState) peer.sendStream(envelope, JSON.stringify(this.#connectionState))
  }

  onSubscriptionsChanged(session?: AppSession): void {
    if (!session) return
    for (const { raw } of this.#subscriptions.takeNew(session)) {
      if (!this.#connectionState) continue
      const envelope = { sessionId: session.sessionId, streamType: raw, timestamp: this.#context.timestamp() }
      session.sendStream(envelope, JSON.stringify(this.#connectionState))
    }
  }

  /** Merges a report, notifies apps, and stops apps that the glasses cannot serve. */
  #apply(report: DeviceReport): DeviceState {
    const { device, sendToApps, apps, timestamp, forEachPart, ports } = this.#context
    const change = device.applyReport(report)
    if (Object.keys(change.changed).length === 0) return change.changed
    sendToApps((session) => this.#stateMessage(session, change.changed, false))
    if (change.glassesChanged) {
      sendToApps(() => ({
        type: 'capabilities_update',
        capabilities: device.capabilities,
        modelName: device.modelName,
        timestamp: timestamp(),
      }))
    }
    if (change.glassesChanged || 'fwVersion' in change.changed) apps.stopIncompatible()
    forEachPart((part) => part.onDeviceChanged?.(change))
    if (change.glassesChanged) {
      ports.overviewChanged()
      ports.glassesChanged(device.isDisconnected ? null : device.modelName)
    }
    return change.changed
  }

  #reportConnection(message: ConnectionState): void {
    const { modelName, status, wifi } = message
    const connected = !NOT_CONNECTED.test(status)
    this.#connectionState = message
    this.#apply({
      connected,
      // Connected glasses have a model, even if the phone omits it (DEV-2).
      ...(modelName || (modelName === null && !connected) ? { modelName } : {}),
      ...(wifi ? { wifiConnected: wifi.connected ?? false, wifiSsid: wifi.ssid ?? null } : {}),
    })
    this.#context.publish('glasses_connection_state', {}, message)
  }

  #reportBattery(message: Battery): void {
    const { level, charging } = message
    this.#apply({ batteryLevel: level, ...(charging === undefined ? {} : { charging }) })
    if (level >= 0) this.#context.publish('glasses_battery_update', {}, message)
  }

  #relayConnection(): void {
    const { device, publish, timestamp } = this.#context
    const { wifiConnected, wifiSsid } = device.state
    if (device.connected === undefined) return
    this.#connectionState = {
      type: 'glasses_connection_state',
      modelName: device.modelName ?? '',
      status: device.connected ? 'CONNECTED' : 'DISCONNECTED',
      ...(typeof wifiConnected === 'boolean'
        ? { wifi: { connected: wifiConnected, ...(wifiSsid ? { ssid: wifiSsid } : {}) } }
        : {}),
      timestamp: timestamp(),
    }
    publish('glasses_connection_state', {}, this.#connectionState)
  }

  #relayBattery(): void {
    const { device, publish, timestamp } = this.#context
    const { batteryLevel, charging } = device.state
    if (typeof batteryLevel !== 'number') return
    const message: Battery = {
      type: 'glasses_battery_update',
      level: batteryLevel,
      charging: charging ?? false,
      timestamp: timestamp(),
    }
    publish('glasses_battery_update', {}, message)
  }

  #stateMessage({ sessionId }: AppSession, state: DeviceState, fullSnapshot: boolean): CloudToApp {
    return {
      type: 'device_state_update',
      state,
      fullSnapshot,
      sessionId,
      timestamp: this.#context.timestamp(),
    }
  }
}
