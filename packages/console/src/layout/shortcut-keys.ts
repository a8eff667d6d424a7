import { onDevice } from '../stored.ts'

/** What a key press asks for. */
export type ShortcutCommand = 'help' | 'search' | { readonly page: string }

/** The key before the letter of a page. */
export const PAGE_PREFIX = 'g'
export const SEARCH_KEY = '/'
export const HELP_KEY = '?'

/** Time in ms in which the letter must follow the prefix. */
const SEQUENCE_MS = 1_500

/** What has its own use for letters: fields, and lists that find an entry by its first letters. */
const TYPING =
  'input:not([type="checkbox"], [type="radio"]), textarea, select, [contenteditable], [role="menu"], [role="listbox"], [role="grid"], [role="tree"], [role="treegrid"]'

/** Dialogs keep the keyboard for themselves. */
const DIALOG = '[role="dialog"], [role="alertdialog"]'

/** Reads the shortcuts of the keys that are pressed one after another; `pages` maps letters to addresses. */
export function createShortcutReader(
  pages: ReadonlyMap<string, string>,
): (event: KeyboardEvent) => ShortcutCommand | undefined {
  let prefixAt: number | undefined
  return (event) => {
    const isSequence = prefixAt !== undefined && event.timeStamp - prefixAt <= SEQUENCE_MS
    prefixAt = undefined
    if (!isShortcut(event)) return undefined
    if (isSequence) {
      const page = pages.get(event.key)
      return page === undefined ? undefined : { page }
    }
    if (event.key === PAGE_PREFIX) prefixAt = event.timeStamp
    if (event.key === HELP_KEY) return 'help'
    return event.key === SEARCH_KEY ? 'search' : undefined
  }
}

/** Whether a key press is not text, and not a command of the browser or of a component. */
function isShortcut(event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || event.repeat) return false
  if (event.defaultPrevented || document.querySelector(DIALOG) !== null) return false
  return !(event.target instanceof Element) || event.target.closest(TYPING) === null
}

const STORAGE_KEY = 'shortcuts'
const OFF = 'off'

/** Whether single keys are shortcuts on this device; they are unless the user has switched them off. */
export function readShortcutSetting(): boolean {
  return onDevice.read(STORAGE_KEY) !== OFF
}

/** Stores on this device whether single keys are shortcuts. */
export function storeShortcutSetting(isOn: boolean): void {
  onDevice.write(STORAGE_KEY, isOn ? undefined : OFF)
}
