import {
  type Capabilities,
  type ConnectedGlasses,
  DEVICE_STATE_KEYS,
  type DeviceReport,
  findCapabilities,
  SIMULATED_GLASSES_MODEL,
} from '@glasses-cloud/contract'

/** The reported state of the glasses, with the keys that the phone uses (glasses-socket.md §3.8). */
export type DeviceState = Omit<DeviceReport, 'connected' | 'hotspotPassword'> & {
  readonly connected?: boolean
}

/** The effect of a report. */
export interface DeviceChange {
  /** The keys with a new value. */
  readonly changed: DeviceState
  /** Whether glasses connected, disconnected or were replaced by another model. */
  readonly glassesChanged: boolean
}

/**
 * The state of the glasses, merged from the reports of the phone, which contain only what changed. Glasses count as
 * connected only when a report states it: a preferred model alone does not connect them.
 */
export class Device {
  #state: DeviceState = {}
  /** The model that reported `fwVersion`. Another one may not report its own at once. */
  #versionModel: string | null = null

  /**
   * Merges a report. A model name without `connected` means that glasses of that model are connected, a null model
   * name that none are (glasses-socket.md §5.3). Keys that are not in the contract are ignored.
   */
  applyReport(report: DeviceReport): DeviceChange {
    const reported: Record<string, unknown> = {
      ...report,
      connected: report.connected ?? inferConnected(report),
    }
    const known: Readonly<Record<string, unknown>> = this.#state
    const changed: Record<string, unknown> = {}
    for (const key of DEVICE_STATE_KEYS) {
      const value = isUnknownLevel(key, reported[key]) ? null : reported[key]
      if (value !== undefined && value !== known[key]) changed[key] = value
    }
    this.#state = { ...this.#state, ...changed }
    if (report.fwVersion !== undefined) this.#versionModel = this.modelName
    else this.#versionModel ??= this.modelName
    return { changed, glassesChanged: 'connected' in changed || 'modelName' in changed }
  }

  get state(): DeviceState {
    return this.#state
  }

  get modelName(): string | null {
    return this.#state.modelName || null
  }

  /** Undefined until a report states it. */
  get connected(): boolean | undefined {
    return this.#state.connected
  }

  /**
   * Whether the phone reported that no glasses are connected. Simulated glasses are part of the phone and always
   * count as connected (glasses-socket.md §2.3.2 and glasses-socket.md §4.3).
   */
  get isDisconnected(): boolean {
    return this.connected === false && this.modelName !== SIMULATED_GLASSES_MODEL
  }

  /** The profile of the connected glasses; null for an unknown model and without glasses (decision C6). */
  get capabilities(): Capabilities | null {
    return this.modelName && !this.isDisconnected ? findCapabilities(this.modelName) : null
  }

  /** The connected glasses with their firmware; null for an unknown model and without glasses (decision C6). */
  get glasses(): ConnectedGlasses | null {
    const { capabilities, modelName } = this
    if (capabilities === null) return null
    const version = (this.#versionModel === modelName && this.#state.fwVersion) || null
    return { capabilities, version }
  }
}

/** Some glasses report -1 for a battery whose level they do not know. */
function isUnknownLevel(key: string, value: unknown): boolean {
  return /batteryLevel$/i.test(key) && Number(value) < 0
}

function inferConnected({ modelName }: DeviceReport): boolean | undefined {
  return modelName === undefined ? undefined : Boolean(modelName)
}
