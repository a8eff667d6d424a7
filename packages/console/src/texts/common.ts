/** Texts that several pages share. The folder `texts` holds all texts of the console, one file for each area. */
export const common = {
  productName: 'Glasses Cloud',
  cancel: 'Cancel',
  close: 'Close',
  loading: 'Loading…',
  retry: 'Try again',
  save: 'Save',
  delete: 'Delete',
  copy: 'Copy',
  copied: 'Copied',
  neverUsed: 'Never used',
  lastUsed: (time: string, address: string | null) =>
    address === null ? `Last used ${time}` : `Last used ${time} from ${address}`,
  notCopied: 'The browser did not copy it. Select the text and copy it yourself.',
} as const
