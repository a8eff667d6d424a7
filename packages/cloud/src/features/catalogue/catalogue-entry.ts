import {
  type Compatibility,
  type ConnectedGlasses,
  checkCompatibility,
  foldText,
  isVersionRequired,
} from '@glasses-cloud/contract'
import type { App } from './app.ts'

/**
 * An app in the catalogue snapshot, with what is derived from it: the JSON text of its list entries, its search text
 * and its compatibility with device models. Everything is computed once, on first use.
 */
export class CatalogueEntry {
  readonly packageName: string
  readonly isPublished: boolean
  #app: App
  #searchText: string | undefined
  readonly #json = new Map<JsonView, Buffer>()
  readonly #compatibility = new WeakMap<object, CheckedCompatibility>()

  /** The entry as the owners of the app have it: the app as declared, which may not be approved. */
  readonly declared: CatalogueEntry

  /** @param declared the entry with the app as declared; this one by default */
  constructor(app: App, declared?: CatalogueEntry) {
    this.#app = app
    this.declared = declared ?? this
    this.packageName = app.packageName
    this.isPublished = app.appStoreStatus === 'PUBLISHED'
  }

  get app(): App {
    return this.#app
  }

  /** Name and description, folded for substring search. */
  get searchText(): string {
    this.#searchText ??= foldText(`${this.#app.name}\0${this.#app.description}`)
    return this.#searchText
  }

  /** Records since when the app's server is down (epoch ms); lists derived from the rest stay valid. */
  setUnreachableSince(unreachableSince: number | null): void {
    this.#app = { ...this.#app, unreachableSince }
    if (this.declared !== this) this.declared.setUnreachableSince(unreachableSince)
  }

  /**
   * The JSON text of a view of the app, in UTF-8.
   * @param view serializes the app; must depend on nothing but the app, its server's health excluded
   */
  json(view: JsonView): Buffer {
    let text = this.#json.get(view)
    if (text === undefined) {
      text = Buffer.from(view(this.#app))
      this.#json.set(view, text)
    }
    return text
  }

  /**
   * Compatibility with glasses, as a value and as JSON text. Remembered by the identity of the profile, unless the
   * version of the glasses counts.
   * @param glasses null without known glasses
   */
  compatibility(glasses: ConnectedGlasses | null): CheckedCompatibility {
    if (glasses !== null && isVersionRequired(this.#app.minHardwareVersion)) return this.#check(glasses)
    const key = glasses?.capabilities ?? UNKNOWN_GLASSES
    let checked = this.#compatibility.get(key)
    if (checked === undefined) {
      checked = this.#check(glasses)
      this.#compatibility.set(key, checked)
    }
    return checked
  }

  #check(glasses: ConnectedGlasses | null): CheckedCompatibility {
    const value = checkCompatibility(this.#app, glasses)
    return { value, json: Buffer.from(JSON.stringify(value)) }
  }
}

/** Serializes an app for one kind of list. */
export type JsonView = (app: App) => string

/** See {@link CatalogueEntry.compatibility}. */
export interface CheckedCompatibility {
  readonly value: Compatibility
  /** UTF-8. */
  readonly json: Buffer
}

const UNKNOWN_GLASSES = {}
