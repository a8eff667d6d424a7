/** The texts of the button; those of the dialog are loaded with it. */
const isMac = /^Mac|^iP/.test(navigator.platform)

/** The keys that open the search are those of the device. */
export const searchButtonTexts = { open: 'Search', keys: isMac ? '⌘ K' : 'Ctrl K' } as const
