/** The texts of the components that all pages share. */
export const componentTexts = {
  product: 'Glasses Cloud',
  breadcrumb: 'Breadcrumb',
  loading: 'Loading…',
  tryAgain: 'Try again',
  notLoaded: 'The page could not be loaded',
  nothingAtAddress: 'The address may be mistyped, or what it led to no longer exists.',
  cancel: 'Cancel',
  close: 'Close',
  copy: 'Copy',
  copied: 'Copied',
  copyNamed: (label: string) => `Copy ${label}`,
  copiedNamed: (label: string) => `Copied ${label}`,
  notCopied: 'The browser did not copy it. Select the text and copy it yourself.',
  neverUsed: 'Never used',
  lastUsed: (time: string, address: string | null) =>
    address === null ? `Last used ${time}` : `Last used ${time} from ${address}`,
} as const
