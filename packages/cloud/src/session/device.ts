import {
  type Capabilities,
  DEVICE_STATE_KEYS,
  type DeviceReport,
  findCapabilities,
  SIMULATED_GLASSES_MODEL,
} from '@glasses-cloud/contract'

/** What is known of the glasses behind the phone. Keys are the phone's own (glasses socket protocol, 3.8). */
export type DeviceState = Omit<DeviceReport, 'connected' | 'hotspotPassword'> & {
  readonly connected?: boolean
}

/** What a report changed. */
export interface DeviceChange {
  /** The keys that have a new value. */
  readonly changed: DeviceState
  /** Other glasses, or the same ones come or gone. */
  readonly glassesChanged: boolean
}

/**
 * The state of the glasses, merged from the reports of the phone, which sends only what changed. Whether glasses
 * are connected is only what a report says: a preferred model connects nothing.
 */
export class Device {
  #state: DeviceState = {}

  /**
   * Merges a report. A model without `connected` means glasses of that model are there, no model that there are none
   * (glasses socket protocol, 5.3). Of a report only the keys of the contract are kept.
   */
  applyReport(report: DeviceReport): DeviceChange {
    const reported: Record<string, unknown> = { ...report, connected: report.connected ?? inferred(report) }
    const known: Readonly<Record<string, unknown>> = this.#state
    const changed: Record<string, unknown> = {}
    for (const key of DEVICE_STATE_KEYS) {
      const value = reported[key]
      if (value !== undefined && value !== known[key]) changed[key] = value
    }
    this.#state = { ...this.#state, ...changed }
    return { changed, glassesChanged: 'connected' in changed || 'modelName' in changed }
  }

  get state(): DeviceState {
    return this.#state
  }

  get modelName(): string | null {
    return this.#state.modelName || null
  }

  /** Undefined while no report has said it. */
  get connected(): boolean | undefined {
    return this.#state.connected
  }

  /**
   * Whether there are no glasses to ask, as far as the phone said. Simulated ones are part of the phone: they are
   * there whatever it says of a connection (glasses socket protocol, 2.3.2 and 4.3).
   */
  get isDisconnected(): boolean {
    return this.connected === false && this.modelName !== SIMULATED_GLASSES_MODEL
  }

  /** The profile of the glasses there are; null while there are none, or of a model nobody knows (decision C6). */
  get capabilities(): Capabilities | null {
    return this.modelName && !this.isDisconnected ? findCapabilities(this.modelName) : null
  }
}

function inferred({ modelName }: DeviceReport): boolean | undefined {
  return modelName === undefined ? undefined : Boolean(modelName)
}
