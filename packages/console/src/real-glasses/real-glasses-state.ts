import type { Link, Page, Screen } from '@glasses-cloud/phone/browser'
import type { Brightness, ChosenGlasses } from './chosen-glasses.ts'
import type { LinkChange } from './link-changes.ts'

/** What the page shows of the glasses. A new object after each change. */
export interface RealGlassesState {
  /** The connection to the cloud; `connecting` includes the glasses. */
  readonly connection: 'disconnected' | 'connecting' | 'connected' | 'reconnecting'
  /** The glasses that were connected last, or are being connected. */
  readonly chosen: ChosenGlasses | undefined
  /** Their display, once they are being connected. */
  readonly screen: Screen | undefined
  readonly link: Link
  /** Losses and returns of parts, the newest first; times are epoch ms. */
  readonly changes: readonly (LinkChange & { readonly at: number })[]
  /** Percent, of the part that has less. */
  readonly battery: number | undefined
  readonly firmware: string | undefined
  /** Whether the glasses are on the head, as far as they say. */
  readonly isOnHead: boolean | undefined
  /** The data of the microphone that the cloud requires. */
  readonly requiredData: readonly string[]
  readonly page: Page
  /** What the user has set, here or before. */
  readonly brightness: Brightness | undefined
  /** What failed last. */
  readonly problem: string | undefined
  /** Whether the glasses could not be reached at all. */
  readonly isPairingSuspect: boolean
  /** Whether other glasses of the user took the session over. */
  readonly wasReplaced: boolean
}

export const NOT_WORN: RealGlassesState = {
  connection: 'disconnected',
  chosen: undefined,
  screen: undefined,
  link: { state: 'lost', parts: [] },
  changes: [],
  battery: undefined,
  firmware: undefined,
  isOnHead: undefined,
  requiredData: [],
  page: { kind: 'blank' },
  brightness: undefined,
  problem: undefined,
  isPairingSuspect: false,
  wasReplaced: false,
}
